import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { Writer } from '../../../src/events/sqlite/writing/writer.js';
import { testEvent, testId } from '../../support/events.js';
import { fillLedger, ledgerDirectory, openLedger, request } from '../../support/ledgerFile.js';

describe('Writer', () => {
  let at: ReturnType<typeof ledgerDirectory>;
  let db: Database.Database;
  let writer: Writer;
  beforeEach(() => {
    at = ledgerDirectory();
    db = openLedger(at.file);
    writer = new Writer(db);
  });
  afterEach(() => {
    writer.close();
    at.remove();
  });

  it('makes all appends of a batch durable together', () => {
    const before = Number(db.prepare('SELECT total_changes()').pluck().get());
    const outcomes = writer.commit([request('a', 'noStream', [testEvent(1)]), request('b', 'noStream', [testEvent(2)])]);
    expect(outcomes).toEqual([
      { revision: 0, position: '1', recordedAt: 1_000, duplicate: false },
      { revision: 0, position: '2', recordedAt: 1_000, duplicate: false },
    ]);
    expect(db.inTransaction).toBe(false);
    expect(Number(db.prepare('SELECT total_changes()').pluck().get()) - before).toBe(2);
  });

  it('sees what another connection wrote in between', () => {
    writer.commit([request('a', 'noStream', [testEvent(1)], 1_000)]);
    const other = new Writer(openLedger(at.file));
    other.commit([request('a', 0, [testEvent(2)], 7_000)]);
    other.close();
    const [stale, fresh] = writer.commit([request('a', 0, [testEvent(3)], 2_000), request('a', 1, [testEvent(4)], 2_000)]);
    expect(stale).toEqual({ code: 'wrong_expected_revision', stream: 'a', expected: 0, actual: 1 });
    expect(fresh).toEqual({ revision: 2, position: '3', recordedAt: 7_000, duplicate: false });
  });

  it('replays a batch one by one when the database objects, so that only the culprit fails', () => {
    writer.commit([request('a', 'noStream', [testEvent(1)])]);
    const outcomes = writer.commit([
      request('b', 'noStream', [testEvent(2)]),
      request('c', 'noStream', [testEvent(3), testEvent(1)]),
      request('b', 0, [testEvent(4)]),
    ]);
    expect(outcomes).toEqual([
      { revision: 0, position: '2', recordedAt: 1_000, duplicate: false },
      { code: 'event_id_conflict', eventId: testId(1), stream: 'c' },
      { revision: 1, position: '3', recordedAt: 1_000, duplicate: false },
    ]);
    expect(db.prepare('SELECT count(*) FROM events WHERE stream = ?').pluck().get('c')).toBe(0);
  });

  it('recognises an append of a stream it does not remember', () => {
    writer.close();
    fillLedger(at.file, 4);
    writer = new Writer(openLedger(at.file));
    const again = [testEvent(3), testEvent(4)];
    expect(writer.commit([request('s-1', 'noStream', again)])).toEqual([{ revision: 1, position: '4', recordedAt: 1_001, duplicate: true }]);
  });

  it('recognises an event by its leaf after its payload was dropped', () => {
    const [answer] = writer.commit([request('a', 'noStream', [testEvent(1)])]);
    expect(writer.drop([1])).toBeNull();
    expect(writer.commit([request('a', 'noStream', [testEvent(1)])])).toEqual([{ ...answer, duplicate: true }]);
    expect(writer.commit([request('a', 'noStream', [testEvent(1, { data: '{}' })])])).toEqual([
      { code: 'event_id_conflict', eventId: testId(1), stream: 'a' },
    ]);
  });

  it('leaves nothing of a dropped payload in the file or its log', () => {
    const text = 'words that must not be found again';
    writer.commit([request('a', 'noStream', [testEvent(1, { data: JSON.stringify({ text }) }), testEvent(2)])]);
    const files = (): Buffer => Buffer.concat(['', '-wal'].map((suffix) => (existsSync(at.file + suffix) ? readFileSync(at.file + suffix) : Buffer.alloc(0))));
    expect(files().includes(text)).toBe(true);
    expect(writer.drop([1])).toBeNull();
    expect(writer.sweep()).toBe(true);
    expect(files().includes(text)).toBe(false);
  });

  it('turns read-only when the disk is full, keeps what it confirmed, and says why', () => {
    writer.commit([request('a', 'noStream', [testEvent(1)])]);
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`);
    const large = testEvent(2, { data: `{"a":"${'x'.repeat(100_000)}"}` });
    const outcomes = writer.commit([request('b', 'noStream', [testEvent(3)]), request('c', 'noStream', [large])]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 'read_only', cause: 'disk_full' });
    expect(writer.breakage).toMatchObject({ cause: 'disk_full' });
    db.pragma('max_page_count = 1000000');
    expect(writer.commit([request('b', 'noStream', [testEvent(3)])])).toMatchObject([{ code: 'read_only', cause: 'disk_full' }]);
    expect(db.prepare('SELECT count(*) FROM events').pluck().get()).toBe(1);
  });

  it('does not claim that nothing was stored when the disk did not confirm a commit', () => {
    // A disk cannot be made to fail this way from here, so that the statement does.
    const failing = new Proxy(db, {
      get: (target, name) => {
        if (name === 'inTransaction') return target.inTransaction;
        if (name === 'exec') return target.exec.bind(target);
        return (sql: string) => (sql === 'COMMIT' ? { run: unconfirmed } : target.prepare(sql));
      },
    });
    const unsure = new Writer(failing);
    expect(unsure.commit([request('a', 'noStream', [testEvent(1)])])).toMatchObject([{ code: 'outcome_unknown' }]);
    expect(unsure.commit([request('b', 'noStream', [testEvent(2)])])).toMatchObject([{ code: 'read_only', cause: 'io_error' }]);
    expect(db.inTransaction).toBe(false);
  });

  it('says that the ledger is held by another process, and goes on when it is free', () => {
    db.pragma('busy_timeout = 0');
    const other = new Database(at.file);
    other.exec('BEGIN IMMEDIATE');
    expect(writer.commit([request('a', 'noStream', [testEvent(1)])])).toMatchObject([{ code: 'unavailable' }]);
    other.exec('ROLLBACK');
    other.close();
    expect(writer.commit([request('a', 'noStream', [testEvent(1)])])).toMatchObject([{ revision: 0, duplicate: false }]);
  });
});

function unconfirmed(): never {
  throw Object.assign(new Error('disk I/O error'), { name: 'SqliteError', code: 'SQLITE_IOERR_FSYNC' });
}
