import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealBox } from '../../../src/events/box.js';
import type { NewEvent } from '../../../src/events/envelope.js';
import type { EventStore } from '../../../src/events/eventStore.js';
import { openSqliteStore } from '../../../src/events/sqlite/openSqliteStore.js';
import { newId } from '../../../src/platform/ids.js';
import type { ThreadPlace } from '../../../src/platform/threads/startThread.js';
import { openVault, type Vault } from '../../../src/platform/vault/vault.js';
import { openViews } from '../../../src/projections/projectionViews.js';
import { mcpServers } from '../../../src/projections/mcpServers/projection.js';
import type { RebuildProgress, Views } from '../../../src/projections/views.js';
import { mountSmallDisk } from '../../support/cli/smallDisk.js';
import { openLedger } from '../../support/ledgerFile.js';

const disk = mountSmallDisk();
afterAll(() => disk?.remove());

const clock = { now: () => Date.UTC(2026, 0, 1) };
const kept = { parameters: {}, redaction: [], argumentsDigest: null, argumentsBytes: 2, channel: null };
const admission = { tool: 'roll_dice', route: { kind: 'builtin', definition: null }, ...kept, deadline: 0, basis: { workspace: null, settings: null, servers: null } };

let dataDir: string;
let store: EventStore;
let vault: Vault;
let ada: string;
let views: Views;
let place: ThreadPlace;
let notes: string[];

const paths = (): { directory: string; vault: { file: string; masterKeyFile: string; masterKey: null } } => ({
  directory: join(dataDir, 'readmodels'),
  vault: { file: join(dataDir, 'keys.db'), masterKeyFile: join(dataDir, 'master.key'), masterKey: null },
});

async function open(options: { callText?: boolean; directory?: string } = {}): Promise<void> {
  views = await openViews({
    ...paths(),
    engine: { kind: 'sqlite', file: join(dataDir, 'ledger.db') },
    callText: true,
    place,
    ...options,
    store,
    note: (message) => notes.push(message),
  });
}

async function event(type: string, data: unknown, stream: string, words?: string): Promise<NewEvent> {
  const id = newId();
  const key = await vault.keyOf(ada);
  const boxes = words === undefined || key === null ? '' : JSON.stringify([[ada, sealBox(key, { stream, eventId: id, subject: ada }, { arguments: words })]]);
  return {
    id, type, version: 1, occurredAt: 0, actor: ada, door: 'cli', onBehalfOf: null, correlation: null, causation: null,
    workspace: 'local', runner: 'r', data: JSON.stringify(data), boxes,
  };
}

/** @returns the position of the call */
async function call(callId: string, words?: string): Promise<string> {
  const stream = `toolCall-${callId}`;
  return (await store.append(stream, 'noStream', [await event('ToolCallAdmitted', admission, stream, words)])).position;
}

const found = async (text?: string): Promise<readonly string[]> =>
  (await views.query('searchCalls', { limit: 50, order: 'oldest', ...(text === undefined ? {} : { text }) })).calls.map(({ callId }) => callId);

const never = new AbortController().signal;

describe.each(['apart', 'here'] as const)('%s', (given) => {
  beforeAll(() => {
    place = given;
  });

  beforeEach(async () => {
    notes = [];
    dataDir = mkdtempSync(join(tmpdir(), 'views-'));
    store = await openSqliteStore({ file: join(dataDir, 'ledger.db'), clock });
    vault = openVault({ ...paths().vault, clock });
    ada = await vault.subjectFor({ kind: 'operator', id: 'ada' });
    await open();
  });

  afterEach(async () => {
    await views.close();
    await store.close();
    vault.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  describe('views', () => {
    it('show what was appended once they have caught up with it', async () => {
      await call('c1', 'first words');
      const position = await call('c2', 'second words');
      await views.caughtUpTo(position);
      expect(await found()).toEqual(['c1', 'c2']);
      expect(await found('second')).toEqual(['c2']);
      await views.caughtUpTo(position, { views: ['toolCallLog'] });
      expect((await views.openCalls()).map(({ callId }) => callId)).toEqual(['c1', 'c2']);
    });

    it('say how they stand', async () => {
      await views.caughtUpTo(await call('c1'));
      const status = await views.status();
      expect(status.map(({ name }) => name).sort()).toEqual(['callText', 'mcpServers', 'toolCallLog', 'toolNameSnapshots', 'toolRegistry']);
      for (const view of status) expect(view).toMatchObject({ position: '1', lagEvents: 0, lagSeconds: 0, parked: 0, problem: null });
    });

    it('stop being waited for when the waiting is given up, or they are closed', async () => {
      const abort = new AbortController();
      const given = views.caughtUpTo('99', { signal: abort.signal });
      abort.abort(new Error('enough'));
      await expect(given).rejects.toThrow('enough');
      const waiting = views.caughtUpTo('99');
      const closed = views.close();
      await expect(waiting).rejects.toMatchObject({ code: 'views_closed' });
      await closed;
      await expect(views.query('workspaces', {})).rejects.toMatchObject({ code: 'views_closed' });
    });

    it('give a wrong question back as what it is', async () => {
      await expect(views.query('searchCalls', { limit: 5, order: 'newest', text: '"' })).rejects.toMatchObject({ kind: 'usage', code: 'invalid_text' });
      await expect(views.retryParked('nothing')).rejects.toMatchObject({ kind: 'usage', code: 'unknown_view' });
      await expect(views.rebuild(['nothing'], () => undefined, never)).rejects.toMatchObject({ kind: 'usage', code: 'unknown_view' });
    });

    it('go on where they were when they are opened again', async () => {
      await views.caughtUpTo(await call('c1'));
      await views.close();
      const position = await call('c2');
      await open();
      await views.caughtUpTo(position);
      expect(await found()).toEqual(['c1', 'c2']);
    });

    it('build themselves again when their files are no good', async () => {
      await views.caughtUpTo(await call('c1', 'words'));
      await views.close();
      for (const file of readdirSync(paths().directory)) writeFileSync(join(paths().directory, file), 'spoilt');
      await open();
      await views.caughtUpTo('1');
      expect(await found('words')).toEqual(['c1']);
      expect(notes).toHaveLength(5);
    });

    it('leave out the text index, and remove it, when it is switched off', async () => {
      await views.caughtUpTo(await call('c1', 'words'));
      await views.close();
      await open({ callText: false });
      await views.caughtUpTo('1');
      expect(await found()).toEqual(['c1']);
      await expect(found('words')).rejects.toMatchObject({ code: 'text_search_off' });
      expect((await views.status()).find(({ name }) => name === 'callText')).toMatchObject({ phase: 'off', position: null });
      expect(readdirSync(paths().directory).filter((file) => file.startsWith('callText'))).toEqual([]);
    });

    it('set aside an event that cannot be folded, and name it', async () => {
      await store.append('toolCall-c1', 'noStream', [await event('ToolCallSucceeded', { durationMs: 1 }, 'toolCall-c1')]);
      await views.caughtUpTo(await call('c2'));
      expect(await views.parked()).toMatchObject([
        { view: 'toolCallLog', position: '1', type: 'ToolCallSucceeded', attempts: 1 },
        { view: 'callText', position: '1', type: 'ToolCallSucceeded', attempts: 1 },
      ]);
      expect(await views.retryParked('toolCallLog')).toBe(1);
    });

    it('halt at an event from the future, say so, and are not waited for', async () => {
      await call('c1');
      const { position } = await store.append('songs-1', 'noStream', [await event('SongSung', {}, 'songs-1')]);
      await views.caughtUpTo(position);
      await expect(views.caughtUpTo(position, { views: ['toolCallLog'] })).rejects.toMatchObject({ code: 'view_halted' });
      const status = await views.status();
      expect(status.map(({ phase }) => phase)).toEqual(Array.from({ length: 5 }, () => 'halted'));
      expect(status[0]?.problem).toContain('SongSung version 1');
    });
  });

  describe('views that the disk does not let go on', () => {
    const itWhere = disk === null ? it.skip : it;
    afterEach(() => disk?.free());

    itWhere('are left behind, by name are waited for in vain, and catch up when there is room again', async () => {
      await views.close();
      await open({ directory: join(disk?.directory ?? '', place) });
      disk?.fill();
      const position = await call('c1', 'words');
      const leftBehind = await views.caughtUpTo(position);
      expect(leftBehind.map(({ view }) => view).sort()).toEqual(['callText', 'mcpServers', 'toolCallLog', 'toolNameSnapshots', 'toolRegistry']);
      expect(leftBehind[0]?.why).toContain('disk is full');
      await expect(views.caughtUpTo(position, { views: ['toolCallLog'] })).rejects.toMatchObject({ code: 'view_halted' });
      disk?.free();
      expect(await views.caughtUpTo(position)).toEqual([]);
      expect(await found('words')).toEqual(['c1']);
    });

    it('are left behind when the ledger cannot be read', async () => {
      await views.close();
      await call('c1');
      await call('c2');
      const ledger = openLedger(join(dataDir, 'ledger.db'));
      ledger.exec('DROP TRIGGER events_never_change; UPDATE events SET position = 7 WHERE position = 1');
      ledger.close();
      await open();
      expect(await views.caughtUpTo('2')).toMatchObject(Array.from({ length: 5 }, () => ({ why: expect.stringMatching(/missing/) })));
      await expect(views.caughtUpTo('2', { views: ['toolCallLog'] })).rejects.toMatchObject({ code: 'view_halted' });
    });
  });

  describe('a rebuild', () => {
    it('gives the same views, while the live ones go on', async () => {
      await call('c1', 'before');
      await views.caughtUpTo(await call('c2', 'before'));
      const seen: RebuildProgress[] = [];
      const rebuilding = views.rebuild([], (progress) => seen.push(progress), never);
      const position = await call('c3', 'meanwhile');
      const reports = await rebuilding;
      await views.caughtUpTo(position);
      expect(await found()).toEqual(['c1', 'c2', 'c3']);
      expect(await found('meanwhile')).toEqual(['c3']);
      expect(reports.map(({ name }) => name)).toEqual(['toolCallLog', 'callText', 'toolRegistry', 'mcpServers', 'toolNameSnapshots']);
      expect(seen.at(-1)).toMatchObject({ total: expect.any(Number), eventsPerSecond: expect.any(Number) });
      const again = await views.rebuild(['callText'], () => undefined, never);
      expect(again).toMatchObject([{ name: 'callText', events: 3 }]);
      expect((await views.rebuild(['callText'], () => undefined, never))[0]?.digest).toBe(again[0]?.digest);
    });

    it('leaves everything as it was when it is cancelled', async () => {
      await views.caughtUpTo(await call('c1', 'words'));
      const abort = new AbortController();
      abort.abort(new Error('no more'));
      await expect(views.rebuild([], () => undefined, abort.signal)).rejects.toThrow('no more');
      const second = new AbortController();
      await expect(views.rebuild([], () => second.abort(new Error('no more')), second.signal)).rejects.toThrow('no more');
      expect(readdirSync(paths().directory).filter((file) => file.includes('.tmp'))).toEqual([]);
      expect(await found('words')).toEqual(['c1']);
    });

    it('runs once at a time', async () => {
      await call('c1');
      const first = views.rebuild(['mcpServers'], () => undefined, never);
      await expect(views.rebuild(['callText'], () => undefined, never)).rejects.toMatchObject({ code: 'rebuild_running' });
      await first;
      expect(existsSync(join(paths().directory, `mcpServers@${mcpServers.version}.db`))).toBe(true);
    });

    it('is refused, and changes nothing, when an event cannot be folded by a view that halts', async () => {
      await call('c1');
      const { position } = await store.append('songs-1', 'noStream', [await event('SongSung', {}, 'songs-1')]);
      await views.caughtUpTo(position);
      await expect(views.rebuild([], () => undefined, never)).rejects.toMatchObject({ code: 'view_halted' });
      expect(await found()).toEqual(['c1']);
      expect(readdirSync(paths().directory).filter((file) => file.includes('.tmp'))).toEqual([]);
    });
  });
});
