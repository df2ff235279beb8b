import { rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Door, NewEvent } from '../../../src/events/envelope.js';
import { leafOf } from '../../../src/events/leaf.js';
import { uuidOfHex } from '../../../src/events/sqlite/writing/uuidBytes.js';

/** A row of the ledger, as somebody with the file and our source code reads and writes it. */
export interface Row {
  position: number;
  event_id: Buffer;
  stream: string;
  revision: number;
  type: string;
  version: number;
  occurred_at: number;
  recorded_at: number;
  actor: string;
  door: Door;
  on_behalf_of: string | null;
  correlation: string | null;
  causation: string | null;
  workspace: string;
  runner: string;
  data: string;
  boxes: string;
  content_hash: null;
  leaf: Buffer;
}

/**
 * Rewrites a ledger's file with its triggers dropped, so that it is whole again: positions and revisions without gaps,
 * every leaf computed anew.
 * @param change gets all rows in order and gives those that shall be there
 */
export function rewriteLedger(file: string, change: (rows: Row[]) => readonly Row[]): void {
  const db = new Database(file);
  const triggers = db.prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  const rows = change(db.prepare<[], Row>('SELECT * FROM events ORDER BY position').all());
  db.transaction(() => {
    db.exec('DELETE FROM events');
    const revisions = new Map<string, number>();
    let recordedAt = 0;
    for (const [index, row] of rows.entries()) {
      const revision = revisions.get(row.stream) ?? 0;
      revisions.set(row.stream, revision + 1);
      recordedAt = Math.max(recordedAt, row.recorded_at);
      insert(db, { ...row, position: index + 1, revision, recorded_at: recordedAt });
    }
  })();
  for (const { sql } of triggers) db.exec(sql);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

function insert(db: Database.Database, row: Row): void {
  const repaired = { ...row, leaf: leafOf(eventOf(row), { stream: row.stream, revision: row.revision, recordedAt: row.recorded_at }) };
  const columns = Object.keys(repaired);
  db.prepare(`INSERT INTO events (${columns.join()}) VALUES (${columns.map((name) => `@${name}`).join()})`).run(repaired);
}

function eventOf(row: Row): NewEvent {
  const { type, version, actor, door, correlation, causation, workspace, runner, data, boxes } = row;
  return { id: uuidOfHex(row.event_id.toString('hex')), type, version, occurredAt: row.occurred_at, actor, door, onBehalfOf: row.on_behalf_of, correlation, causation, workspace, runner, data, boxes };
}

/** Keeps a copy of a ledger's file, to be put later in place of a newer one. */
export function copyOf(file: string): { putBack(file: string): void } {
  const db = new Database(file);
  const bytes = db.serialize();
  db.close();
  return {
    putBack(to) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${to}${suffix}`, { force: true });
      writeFileSync(to, bytes);
    },
  };
}

