import Database from 'better-sqlite3';
import { answer, given, peakMemory } from './child.mjs';

const db = new Database(given().file, { readonly: true });
const columns =
  'position, event_id, stream, revision, type, version, occurred_at, recorded_at, actor, door, on_behalf_of, correlation, causation, workspace, runner, data, boxes, leaf';
const began = performance.now();
let events = 0;
for (const row of db.prepare(`SELECT ${columns} FROM events ORDER BY position`).raw().iterate()) {
  JSON.parse(row[15]);
  events += 1;
}
const seconds = (performance.now() - began) / 1000;
db.close();
answer({ seconds, events, peakMemory: peakMemory() });
