import type Database from 'better-sqlite3';
import { contentHash } from '../../leaf.js';
import { EventStoreError } from '../../storeError.js';

/**
 * Makes stubs of events within a transaction of the caller; what is a stub already stays one.
 * @throws EventStoreError `corrupt` when no event lies at a position
 */
export function dropPayloads(db: Database.Database, positions: readonly number[]): void {
  const find = db.prepare<[number], { data: string | null; boxes: string | null }>('SELECT data, boxes FROM events WHERE position = ?');
  const drop = db.prepare(
    `UPDATE events SET content_hash = ?, type = NULL, version = NULL, occurred_at = NULL, actor = NULL, door = NULL, on_behalf_of = NULL,
       correlation = NULL, causation = NULL, workspace = NULL, runner = NULL, data = NULL, boxes = NULL WHERE position = ?`,
  );
  db.exec('INSERT INTO dropping VALUES (1)');
  for (const position of positions) {
    const event = find.get(position);
    if (event === undefined) throw new EventStoreError({ code: 'corrupt', detail: 'no event lies here', position: String(position) });
    if (event.data === null || event.boxes === null) continue;
    drop.run(Buffer.from(contentHash(event.data, event.boxes), 'hex'), position);
  }
  db.exec('DELETE FROM dropping');
}
