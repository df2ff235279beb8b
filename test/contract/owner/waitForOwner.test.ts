import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireOwner, type Owner, type OwnerOptions } from '../../../src/owner/lock.js';
import { ownOrConnect } from '../../../src/owner/ownOrConnect.js';
import { openOwnerSocket } from '../../../src/owner/socketServer.js';
import { waitForOwner, type Waiting } from '../../../src/owner/waitForOwner.js';

let directory: string;
let undo: (() => unknown)[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'wait-'));
  undo = [];
});
afterEach(async () => {
  for (const each of undo.reverse()) await each();
  rmSync(directory, { recursive: true, force: true });
});

let lastId = 0;
const options = (command: string, over: Partial<OwnerOptions> = {}): OwnerOptions => ({
  command,
  socket: null,
  pid: process.pid,
  clock: { now: () => 5_000 },
  newId: () => String(++lastId),
  ...over,
});

function own(given: OwnerOptions): () => void {
  const ownership = acquireOwner(directory, given);
  if (ownership.kind === 'busy') throw new Error('somebody owns the directory of this test');
  undo.push(ownership.release);
  return ownership.release;
}

/** Waits by running the steps given, one for each wait, instead of letting time pass. */
function steps(...each: (() => unknown)[]): Waiting & { readonly told: Owner[]; readonly waits: number[] } {
  const told: Owner[] = [];
  const waits: number[] = [];
  return {
    told,
    waits,
    signal: new AbortController().signal,
    onWaiting: (owner) => told.push(owner),
    delay: async (ms) => {
      waits.push(ms);
      const step = each.shift();
      if (step === undefined) throw new Error('waited longer than the test expects');
      await step();
    },
  };
}

const nothing = () => undefined;

describe('waiting for a data directory', () => {
  it('does not wait when nobody owns it', async () => {
    const ownership = await waitForOwner(directory, options('mine'), steps());
    expect(ownership.kind).toBe('owned');
    if (ownership.kind === 'owned') undo.push(ownership.release);
  });

  it('waits for a command, says once for whom, and then owns it', async () => {
    const release = own(options('call roll_dice'));
    const waiting = steps(nothing, nothing, release);
    const ownership = await waitForOwner(directory, options('mine'), waiting);
    expect(ownership.kind).toBe('owned');
    if (ownership.kind === 'owned') undo.push(ownership.release);
    expect(waiting.told).toEqual([{ command: 'call roll_dice', pid: process.pid, since: 5_000, socket: null }]);
  });

  it('waits ever longer, up to half a second', async () => {
    const release = own(options('other'));
    const waiting = steps(nothing, nothing, nothing, nothing, nothing, nothing, release);
    const ownership = await waitForOwner(directory, options('mine'), waiting);
    if (ownership.kind === 'owned') undo.push(ownership.release);
    expect(waiting.waits).toEqual([20, 40, 80, 160, 320, 500, 500]);
  });

  it('ends at once at an owner that takes requests', async () => {
    own(options('serve', { socket: '/s/owner.sock' }));
    expect(await waitForOwner(directory, options('mine'), steps())).toMatchObject({ kind: 'busy', owner: { command: 'serve', socket: '/s/owner.sock' } });
  });

  it('does not believe the name of a process that is gone before it has seen it for a while', async () => {
    const gone = 2 ** 22 + 1;
    const release = own(options('serve', { socket: '/s/owner.sock', pid: gone }));
    const taken = steps(nothing, release);
    const ownership = await waitForOwner(directory, options('mine'), taken);
    expect(ownership.kind).toBe('owned');
    if (ownership.kind === 'owned') ownership.release();

    own(options('serve', { socket: '/s/owner.sock', pid: gone }));
    const kept = steps(nothing, nothing, nothing, nothing, nothing);
    expect(await waitForOwner(directory, options('mine'), kept)).toMatchObject({ kind: 'busy', owner: { pid: gone } });
  });

  it('ends when it is told to', async () => {
    own(options('other'));
    const controller = new AbortController();
    const waiting = { ...steps(() => controller.abort(new Error('enough'))), signal: controller.signal };
    await expect(waitForOwner(directory, options('mine'), waiting)).rejects.toThrow('enough');
  });
});

describe('a command that changes something', () => {
  const path = () => join(directory, 'owner.sock');
  const listen = async () => {
    const socket = await openOwnerSocket({ path: path(), folder: null }, { handle: async ({ operation }) => `did ${operation}`, onInternalError: nothing });
    undo.push(() => socket.close(AbortSignal.abort()));
  };

  it('owns the directory when nobody does', async () => {
    const reached = await ownOrConnect(directory, options('mine'), steps());
    expect(reached.kind).toBe('owned');
    if (reached.kind === 'owned') undo.push(reached.release);
  });

  it('asks an owner that is still starting, as soon as it listens', async () => {
    own(options('serve', { socket: path() }));
    const reached = await ownOrConnect(directory, options('mine'), steps(nothing, listen));
    if (reached.kind === 'owned') throw new Error('there was an owner');
    undo.push(() => reached.connection.close());
    expect(await reached.connection.request({ operation: 'x', input: {}, caller: {} })).toBe('did x');
  });

  it('owns the directory when the owner stops before it listens', async () => {
    const release = own(options('serve', { socket: path() }));
    const reached = await ownOrConnect(directory, options('mine'), steps(release));
    expect(reached.kind).toBe('owned');
    if (reached.kind === 'owned') undo.push(reached.release);
  });
});
