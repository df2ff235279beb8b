import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { streamOrder } from '../../../src/events/sqlite/verifying/streamOrder.js';

/** Streams by position, from 1; each takes its next revision. */
const history = ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd', 'a', 'a'];

describe('the order of events in their streams', () => {
  let db: Database.Database;
  let rows: readonly [stream: string, revision: number, position: number][];
  beforeEach(() => {
    db = new Database(':memory:');
    db.exec('CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, revision INTEGER)');
    rows = history.map((stream, index) => [stream, history.slice(0, index).filter((name) => name === stream).length, index + 1]);
    const insert = db.prepare('INSERT INTO events (stream, revision, position) VALUES (?, ?, ?)');
    for (const row of rows) insert.run(row);
  });
  afterEach(() => {
    db.close();
  });

  it.each([1, 2, 100])('is right for streams as they were written, with %i of them remembered', (remembered) => {
    const follows = streamOrder(db, remembered);
    expect(rows.map((row) => follows(...row))).toEqual(history.map(() => true));
  });

  it.each([1, 100])('is wrong where a revision is left out, whether the stream is remembered or looked up (%i)', (remembered) => {
    db.exec('UPDATE events SET revision = 9 WHERE position = 5');
    const changed = rows.map(([stream, revision, position]) => [stream, position === 5 ? 9 : revision, position] as const);
    const follows = streamOrder(db, remembered);
    expect(changed.map((row) => follows(...row)).indexOf(false)).toBe(4);
  });

  it('is wrong where the event before lies behind', () => {
    db.exec('UPDATE events SET position = 100 WHERE position = 1');
    const follows = streamOrder(db, 1);
    expect(rows.slice(1).map((row) => follows(...row)).indexOf(false)).toBe(3);
  });
});
