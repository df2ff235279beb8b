import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, copyFileSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import type { RecordedEvent } from '../../src/events/envelope.js';
import { AppendQueue } from '../../src/events/sqlite/writing/appendQueue.js';
import { openSqliteStore } from '../../src/events/sqlite/openSqliteStore.js';
import { openSqliteReader } from '../../src/events/sqlite/reading/sqliteReader.js';
import { verifyLedger } from '../../src/events/sqlite/verifying/verifyLedger.js';
import { ledgerFormat } from '../../src/events/sqlite/schema.js';
import { Writer } from '../../src/events/sqlite/writing/writer.js';
import type { Clock } from '../../src/platform/time/clock.js';
import { workerFile } from '../../src/platform/installation.js';
import { failureOf, testEvent } from '../support/events.js';
import { fillLedger, ledgerDirectory, openLedger, request } from '../support/ledgerFile.js';

const clock: Clock = { now: () => 1_000 };
const built = new URL('../../dist/events/sqlite/openSqliteStore.js', import.meta.url).href;

let at: ReturnType<typeof ledgerDirectory>;
beforeEach(() => {
  at = ledgerDirectory();
});
afterEach(() => at.remove());

/** Runs a module in a process of its own and gives back what it printed as JSON. */
function inChild(body: string, options: { readonly before?: string; readonly uid?: number; readonly directoryMode?: number } = {}): unknown {
  const script = `const { openSqliteStore } = await import(${JSON.stringify(built)});
    const file = ${JSON.stringify(at.file)}; const clock = { now: () => 1000 };
    const event = (n, data) => ({ id: '0190c0de-0000-7000-8000-' + String(n).padStart(12, '0'), type: 'T', version: 1, occurredAt: 0,
      actor: 'a', door: 'cli', onBehalfOf: null, correlation: null, causation: null, workspace: 'local', runner: 'r', data, boxes: '' });
    const failure = (promise) => promise.then(() => null, (error) => error.failure ?? String(error));
    const out = await (async () => { ${body} })();
    console.log(JSON.stringify(out));`;
  const module = join(at.directory, 'child.mjs');
  writeFileSync(module, script);
  if (options.directoryMode !== undefined) chmodSync(at.directory, options.directoryMode);
  const { stdout, stderr } = spawnSync('sh', ['-c', `${options.before ?? ''} exec "$0" "$1"`, process.execPath, module], {
    encoding: 'utf8',
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('a disk that takes no more', () => {
  it('turns the store read-only: waiting appends are refused, what was confirmed is still read', () => {
    const result = inChild(
      `const store = await openSqliteStore({ file, clock });
       await store.append('a', 'noStream', [event(1, '{}')]);
       const large = '{"a":"' + 'x'.repeat(800000) + '"}';
       const failures = await Promise.all([2, 3].map((n) => failure(store.append('s' + n, 'noStream', [event(n, large)]))));
       const later = await failure(store.append('b', 'noStream', [event(4, '{}')]));
       const seen = (await store.readAll(null, 10)).map((e) => e.stream);
       const writable = store.writable();
       await store.close();
       return { failures, later, seen, writable };`,
      { before: 'ulimit -f 1000;' },
    ) as { failures: Array<{ code: string }>; later: { code: string }; seen: string[]; writable: { ok: boolean; cause: string } };
    expect(result.failures.map(({ code }) => code)).toEqual(['read_only', 'read_only']);
    expect(result.later.code).toBe('read_only');
    expect(result.seen).toEqual(['a']);
    expect(result.writable).toMatchObject({ ok: false, cause: 'io_error' });
    expect(readStreams(at.file)).toEqual(['a']);
  });
});

describe('a directory or file that may not be written', () => {
  const open = `return failure(openSqliteStore({ file, clock }).then((store) => store.close()));`;
  // Mode bits mean nothing to root, so that root becomes somebody else.
  const isRoot = process.getuid?.() === 0;
  const nobody = 65_534;
  const user = isRoot ? { uid: nobody } : {};
  afterEach(() => chmodSync(at.directory, 0o755));

  it('names the directory and says what to do', () => {
    const failure = inChild(open, { ...user, directoryMode: 0o555 });
    expect(failure).toMatchObject({ code: 'cannot_open', file: at.file });
    expect(JSON.stringify(failure)).toContain(`the directory ${at.directory} is missing or not writable`);
  });

  it('names a file that only its owner may write', () => {
    fillLedger(at.file, 2);
    chmodSync(at.file, 0o400);
    if (isRoot) chownSync(at.directory, nobody, nobody);
    const before = readFileSync(at.file);
    const failure = inChild(open, { ...user, directoryMode: 0o755 });
    expect(failure).toMatchObject({ code: 'cannot_open', file: at.file });
    expect(JSON.stringify(failure)).toContain('check its owner and mode');
    expect(readFileSync(at.file)).toEqual(before);
  });
});

describe('a file that is not what it should be', () => {
  it('is left as it is when a newer program wrote it', async () => {
    fillLedger(at.file, 2);
    const db = new Database(at.file);
    db.pragma('user_version = 9');
    db.close();
    const before = readFileSync(at.file);
    const failure = { code: 'newer_schema', file: at.file, found: 9, known: ledgerFormat.migrations.length };
    expect(await failureOf(openSqliteStore({ file: at.file, clock }))).toEqual(failure);
    expect(await failureOf((async () => openSqliteReader(at.file))())).toEqual(failure);
    expect(readFileSync(at.file)).toEqual(before);
  });

  it('is left as it is when it belongs to somebody else', async () => {
    writeFileSync(at.file, 'dear diary, '.repeat(1_000));
    const before = readFileSync(at.file);
    expect(await failureOf(openSqliteStore({ file: at.file, clock }))).toMatchObject({ code: 'foreign_file', file: at.file });
    expect(readFileSync(at.file)).toEqual(before);
  });

  it('is called corrupt where a page is damaged, by readers, by the writer and by the verification', async () => {
    fillLedger(at.file, 200, { data: `{"a":"${'x'.repeat(500)}"}` });
    const pages = statSync(at.file).size / 4096;
    const fd = openSync(at.file, 'r+');
    for (let page = 4; page < pages; page += 1) writeSync(fd, Buffer.alloc(4096, 0xff), 0, 4096, page * 4096);
    closeSync(fd);
    const store = await openSqliteStore({ file: at.file, clock });
    expect((await failureOf(store.readAll(null, 500))).code).toBe('corrupt');
    expect(await failureOf(store.append('new', 'noStream', [testEvent(900)]))).toMatchObject({ code: 'read_only', cause: 'corrupt' });
    expect(store.writable()).toMatchObject({ ok: false, cause: 'corrupt' });
    await store.close();
    const report = await verifyLedger(at.file, () => undefined, new AbortController().signal);
    expect(report.damage).toMatchObject({ kind: 'unreadable' });
  });

  it('opens shorter when its log was cut, so that whoever kept the head notices', async () => {
    const crashed = join(at.directory, 'crashed.db');
    const writer = new Writer(openLedger(at.file));
    for (let number = 1; number <= 20; number += 1) writer.commit([request(`s-${number}`, 'noStream', [testEvent(number)])]);
    copyFileSync(at.file, crashed);
    copyFileSync(`${at.file}-wal`, `${crashed}-wal`);
    writer.close();
    truncateSync(`${crashed}-wal`, Math.floor(statSync(`${crashed}-wal`).size / 2));
    const store = await openSqliteStore({ file: crashed, clock });
    const head = Number((await store.head())?.position ?? 0);
    expect(head).toBeLessThan(20);
    expect(await store.leafAt('20')).toBeNull();
    expect(await store.countAfter(null)).toBe(head);
    expect(await store.append('next', 'noStream', [testEvent(100)])).toMatchObject({ position: String(head + 1) });
    await store.close();
  });
});

describe('more appends than the queue takes', () => {
  it('are refused by number, and taken again when there is room', async () => {
    const store = await openSqliteStore({ file: at.file, clock, limits: { appends: 3, bytes: 1_000_000 } });
    const settled = await Promise.allSettled([1, 2, 3, 4].map((number) => store.append(`s-${number}`, 'noStream', [testEvent(number)])));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(settled[3]).toMatchObject({ reason: { failure: { code: 'overloaded', waiting: 3, limit: 3, unit: 'appends' } } });
    expect(await store.append('s-4', 'noStream', [testEvent(4)])).toMatchObject({ position: '4' });
    await store.close();
  });

  it('are refused by bytes', async () => {
    const store = await openSqliteStore({ file: at.file, clock, limits: { appends: 100, bytes: 1_000 } });
    const data = `{"a":"${'x'.repeat(592)}"}`;
    const settled = await Promise.allSettled([1, 2].map((number) => store.append(`s-${number}`, 'noStream', [testEvent(number, { data })])));
    expect(settled[1]).toMatchObject({ reason: { failure: { code: 'overloaded', waiting: 600, limit: 1_000, unit: 'bytes' } } });
    await store.close();
  });
});

describe("a writer's thread that is killed", () => {
  it('leaves waiting appends unknown, refuses later ones, and loses nothing that was confirmed', async () => {
    const worker = new Worker(workerFile('events/sqlite/writing/writerWorker.js'), { workerData: at.file });
    await new Promise((resolve) => worker.once('message', resolve));
    const queue = new AppendQueue(worker, clock, { appends: 100, bytes: 1_000_000 }, () => undefined);
    const first = testEvent(1);
    await queue.append('a', 'noStream', [first]);
    const waiting = queue.append('b', 'noStream', [testEvent(2)]);
    await worker.terminate();
    expect((await failureOf(waiting)).code).toBe('outcome_unknown');
    expect((await failureOf(queue.append('c', 'noStream', [testEvent(3)]))).code).toBe('unavailable');
    expect(queue.writable()).toMatchObject({ ok: false });
    await queue.close();

    const store = await openSqliteStore({ file: at.file, clock });
    expect(await store.append('a', 'noStream', [first])).toMatchObject({ duplicate: true });
    expect(await store.append('b', 'noStream', [testEvent(2)])).toMatchObject({ revision: 0 });
    await store.close();
  });
});

function readStreams(file: string): string[] {
  const reader = openSqliteReader(file);
  const streams = reader.readAll(null, 100).map((event: RecordedEvent) => event.stream);
  reader.close();
  return streams;
}
