import Database from 'better-sqlite3';
import { uuidBytes } from '../dist/events/sqlite/writing/uuidBytes.js';
import { sampleEvent, sampleStream } from './sampleEvents.mjs';

/** The columns and indexes of the ledger's table without its checks and triggers. */
const table = `
CREATE TABLE events (
  position INTEGER PRIMARY KEY, event_id BLOB NOT NULL UNIQUE, stream TEXT NOT NULL, revision INTEGER NOT NULL, type TEXT, version INTEGER,
  occurred_at INTEGER, recorded_at INTEGER NOT NULL, actor TEXT, door TEXT, on_behalf_of TEXT, correlation TEXT, causation TEXT,
  workspace TEXT, runner TEXT, data TEXT, boxes TEXT, content_hash BLOB, leaf BLOB NOT NULL, UNIQUE (stream, revision)
) STRICT`;
const leaf = Buffer.alloc(32, 7);

/** Plain inserts with nothing else: as quick as this machine makes rows durable in one thread. */
export function openRawLoop(file) {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(table);
  const insert = db.prepare(`INSERT INTO events VALUES (${Array.from({ length: 19 }, () => '?').join(', ')})`);
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];
  let position = 0;
  return {
    /** Inserts `rows` rows, `atOnce` in each transaction. @returns rows a second */
    run(rows, atOnce) {
      const values = Array.from({ length: rows }, () => {
        const event = sampleEvent();
        position += 1;
        return [
          position, uuidBytes(event.id), sampleStream(), 0, event.type, event.version, event.occurredAt, Date.now(), event.actor, event.door,
          null, null, null, event.workspace, event.runner, event.data, event.boxes, null, leaf,
        ];
      });
      const began = performance.now();
      for (let start = 0; start < rows; start += atOnce) {
        begin.run();
        for (const row of values.slice(start, start + atOnce)) insert.run(...row);
        commit.run();
      }
      return (rows * 1000) / (performance.now() - began);
    },
    close: () => db.close(),
  };
}
