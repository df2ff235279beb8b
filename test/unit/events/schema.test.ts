import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { ledgerFormat } from '../../../src/events/sqlite/schema.js';
import { openDatabase } from '../../../src/platform/sqlite/openDatabase.js';
import { fillLedger, ledgerDirectory, openLedger } from '../../support/ledgerFile.js';

const columns = 'position, event_id, stream, revision, type, version, occurred_at, recorded_at, actor, door, workspace, runner, data, boxes, leaf';
const id = "x'00000000000000000000000000000001'";
const row = (position: number, id: string, stream: string, revision: number): string =>
  `(${position}, ${id}, '${stream}', ${revision}, 'T', 1, 0, 0, 'a', 'cli', 'local', 'r', '{}', '', zeroblob(32))`;

const stubbed = `content_hash = zeroblob(32), type = NULL, version = NULL, occurred_at = NULL, actor = NULL, door = NULL,
  workspace = NULL, runner = NULL, data = NULL, boxes = NULL`;
const whole = `content_hash = NULL, type = 'T', version = 1, occurred_at = 0, actor = 'a', door = 'cli', workspace = 'local', runner = 'r', data = '{}', boxes = ''`;

describe('the database itself keeps events as they are', () => {
  let at: ReturnType<typeof ledgerDirectory>;
  // A connection of somebody else's, with SQLite's own settings.
  let db: Database.Database;
  beforeEach(() => {
    at = ledgerDirectory();
    fillLedger(at.file, 2);
    db = new Database(at.file);
  });
  afterEach(() => {
    db.close();
    at.remove();
  });
  const storedId = '(SELECT event_id FROM events WHERE position = 2)';

  it.each([
    ['an update', "UPDATE events SET data = '{}'"],
    ['an update that changes nothing', 'UPDATE events SET position = position WHERE position = 1'],
    ['a stub made by hand', `UPDATE events SET ${stubbed} WHERE position = 1`],
    ['a stub with another leaf', `INSERT INTO dropping VALUES (1); UPDATE events SET ${stubbed}, leaf = zeroblob(32) WHERE position = 1`],
    ['a stub with another time', `INSERT INTO dropping VALUES (1); UPDATE events SET ${stubbed}, recorded_at = 1 WHERE position = 1`],
    ['a change of a whole event while payloads are dropped', "INSERT INTO dropping VALUES (1); UPDATE events SET data = '{}' WHERE position = 1"],
    ['a stub that becomes an event again', `INSERT INTO dropping VALUES (1); UPDATE events SET ${stubbed} WHERE position = 1; UPDATE events SET ${whole} WHERE position = 1`],
    ['a delete', 'DELETE FROM events WHERE position = 2'],
    ['a replace of a position', `INSERT OR REPLACE INTO events (${columns}) VALUES ${row(2, id, 'x', 0)}`],
    ['a replace by event id', `INSERT OR REPLACE INTO events (${columns}) VALUES ${row(3, storedId, 'x', 0)}`],
    ['a replace by stream and revision', `REPLACE INTO events (${columns}) VALUES ${row(3, id, 's-0', 0)}`],
    ['an upsert', `INSERT INTO events (${columns}) VALUES ${row(2, id, 'x', 0)} ON CONFLICT DO UPDATE SET data = '{}'`],
    ['a position with a gap', `INSERT INTO events (${columns}) VALUES ${row(4, id, 'x', 0)}`],
    ['a position before the first', `INSERT INTO events (${columns}) VALUES ${row(0, id, 'x', 0)}`],
    ['a position given as text', `INSERT INTO events (${columns}) VALUES ${row(3, id, 'x', 0).replace('(3', "('three'")}`],
    ['an id that is too short', `INSERT INTO events (${columns}) VALUES ${row(3, "x'01'", 'x', 0)}`],
    ['half an event', `INSERT INTO events (${columns}) VALUES ${row(3, id, 'x', 0).replace("'{}'", 'NULL')}`],
  ])('refuses %s', (_, sql) => {
    const all = db.prepare('SELECT * FROM events ORDER BY position');
    const before = all.all();
    db.exec('BEGIN');
    expect(() => db.exec(sql)).toThrow();
    db.exec('ROLLBACK');
    expect(all.all()).toEqual(before);
  });

  it('takes a whole event at the end', () => {
    db.exec(`INSERT INTO events (${columns}) VALUES ${row(3, id, 'x', 0)}`);
    expect(db.prepare('SELECT count(*) FROM events').pluck().get()).toBe(3);
  });

  it('takes a stub, which keeps place and leaf, but no stub with a rest of its payload', () => {
    const stub = (boxes: string): string =>
      `INSERT INTO events (position, event_id, stream, revision, recorded_at, content_hash, boxes, leaf)
       VALUES (3, ${id}, 'x', 0, 0, zeroblob(32), ${boxes}, zeroblob(32))`;
    expect(() => db.exec(stub("''"))).toThrow(/whole_or_stub/);
    db.exec(stub('NULL'));
    expect(db.prepare('SELECT count(*) FROM events').pluck().get()).toBe(3);
  });
});

describe('a ledger of schema version 1', () => {
  it('is brought up to date with all its events when it is opened for writing', () => {
    const at = ledgerDirectory();
    try {
      const old = openDatabase(at.file, 'writer', { ...ledgerFormat, migrations: ledgerFormat.migrations.slice(0, 1) });
      old.exec(`INSERT INTO events (${columns}) VALUES ${row(1, id, 'x', 0)}`);
      old.close();
      expect(() => openDatabase(at.file, 'reader', ledgerFormat)).toThrow(/schema version 1/);
      const db = openLedger(at.file);
      expect(db.prepare('SELECT position, stream, data FROM events').all()).toEqual([{ position: 1, stream: 'x', data: '{}' }]);
      expect(() => db.exec("UPDATE events SET data = '[]'")).toThrow(/never changed/);
      db.exec(`BEGIN; INSERT INTO dropping VALUES (1); UPDATE events SET ${stubbed}; DELETE FROM dropping; COMMIT`);
      expect(db.prepare('SELECT type, data FROM events').all()).toEqual([{ type: null, data: null }]);
      db.close();
    } finally {
      at.remove();
    }
  });
});
