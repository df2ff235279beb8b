import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { checkRows } from '../../../src/events/sqlite/verifying/checkRows.js';
import { checkStructure } from '../../../src/events/sqlite/verifying/checkStructure.js';
import { verifyLedger } from '../../../src/events/sqlite/verifying/verifyLedger.js';
import { openSqliteReader } from '../../../src/events/sqlite/reading/sqliteReader.js';
import { EventStoreError } from '../../../src/events/storeError.js';
import { failureOf } from '../../support/events.js';
import { fillLedger, ledgerDirectory } from '../../support/ledgerFile.js';

const box = `[["s-1","${'A'.repeat(40)}"]]`;
const noSignal = new AbortController().signal;

describe('verifying a ledger', () => {
  let at: ReturnType<typeof ledgerDirectory>;
  beforeEach(() => {
    at = ledgerDirectory();
  });
  afterEach(() => at.remove());

  /** What somebody with the file and without our program can do to it. */
  function tamper(sql: string): void {
    const db = new Database(at.file);
    db.exec('DROP TRIGGER events_never_change; DROP TRIGGER events_never_go; DROP TRIGGER events_only_follow');
    db.exec(sql);
    db.close();
  }

  it('finds nothing wrong with what was written, and says how far it is', async () => {
    fillLedger(at.file, 3_000, { boxes: box });
    const progress: number[] = [];
    const report = await verifyLedger(at.file, ({ done, total }) => progress.push(done / total), noSignal);
    expect(report).toEqual({ events: 3_000, damage: null });
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it('finds nothing wrong with an empty ledger', async () => {
    fillLedger(at.file, 0);
    expect(await verifyLedger(at.file, () => undefined, noSignal)).toEqual({ events: 0, damage: null });
  });

  it.each<[kind: string, position: string | null, sql: string]>([
    ['leaf', '5', `UPDATE events SET data = '{"n":6}' WHERE position = 5`],
    ['leaf', '5', `UPDATE events SET actor = 's-9' WHERE position = 5`],
    ['leaf', '5', 'UPDATE events SET leaf = zeroblob(32) WHERE position = 5'],
    ['leaf', '7', `UPDATE events SET data = '{}' WHERE position IN (7, 9)`],
    ['missing', '5', 'DELETE FROM events WHERE position = 5'],
    ['missing', '1', 'DELETE FROM events WHERE position = 1'],
    ['revision', '6', 'UPDATE events SET revision = 2 WHERE position = 6'],
    ['revision', '6', "UPDATE events SET stream = 's-9' WHERE position = 6"],
    ['revision', '5', 'UPDATE events SET revision = 9 WHERE position = 5; UPDATE events SET revision = 0 WHERE position = 6; UPDATE events SET revision = 1 WHERE position = 5'],
    ['recorded_at', '5', 'UPDATE events SET recorded_at = 1 WHERE position = 5'],
    ['boxes', '5', `UPDATE events SET boxes = '[["s-1","AAAA"]]' WHERE position = 5`],
    ['boxes', '5', `UPDATE events SET boxes = 'no JSON' WHERE position = 5`],
    ['boxes', '5', `UPDATE events SET boxes = replace(boxes, '[[', '[["s-1","${'A'.repeat(40)}"],[') WHERE position = 5`],
    ['payload_gone', '5', `UPDATE events SET content_hash = zeroblob(32), type = NULL, version = NULL, occurred_at = NULL,
      actor = NULL, door = NULL, workspace = NULL, runner = NULL, data = NULL, boxes = NULL WHERE position = 5`],
  ])('names %s at %s', (kind, position, sql) => {
    fillLedger(at.file, 10, { boxes: box });
    tamper(sql);
    const db = new Database(at.file, { readonly: true });
    const report = checkRows(db, () => undefined);
    db.close();
    expect(report.damage).toMatchObject({ kind, position });
    expect(report.events).toBe(Number(position) - 1);
  });

  it('names an index that lacks an entry', () => {
    const withSchema = (index: string, sql: string): void => {
      const db = new Database(at.file).unsafeMode(true);
      db.pragma('writable_schema = ON');
      db.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(index, 'by_stream');
      db.close();
      new Database(at.file).exec(sql).close();
    };
    new Database(at.file).exec('CREATE TABLE events (stream TEXT); CREATE INDEX by_stream ON events (stream)').close();
    withSchema("CREATE INDEX by_stream ON events (stream) WHERE stream > 'm'", "INSERT INTO events VALUES ('a'), ('z')");
    withSchema('CREATE INDEX by_stream ON events (stream)', 'SELECT 1');
    const db = new Database(at.file, { readonly: true });
    expect(checkStructure(db)).toEqual({ position: null, kind: 'structure', detail: 'wrong # of entries in index by_stream' });
    db.close();
  });

  it('stops when it is told to', async () => {
    fillLedger(at.file, 3_000);
    const controller = new AbortController();
    const verifying = verifyLedger(at.file, () => controller.abort(new Error('enough')), controller.signal);
    await expect(verifying).rejects.toThrow('enough');
    await expect(verifyLedger(at.file, () => undefined, controller.signal)).rejects.toThrow('enough');
  });

  it('says that there is no ledger', async () => {
    expect(await failureOf(verifyLedger(at.file, () => undefined, noSignal))).toMatchObject({ code: 'cannot_open', file: at.file });
  });

  it('a reader stops at an event that is missing, and names it', () => {
    const position = '5';
    fillLedger(at.file, 10);
    tamper('DELETE FROM events WHERE position = 5');
    const reader = openSqliteReader(at.file);
    const read = (): unknown => reader.readAll('2', 100);
    expect(read).toThrow(EventStoreError);
    expect(read).toThrow(`at position ${position}`);
    expect(() => reader.readStream('s-2', 0, 10)).toThrow(EventStoreError);
    reader.close();
  });
});
