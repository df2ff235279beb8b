import type { Database } from 'better-sqlite3';
import type { Position, RecordedEvent } from '../../events/envelope.js';
import { statement } from './statements.js';

export const parkedTable = `
  CREATE TABLE parked (
    ordinal INTEGER PRIMARY KEY, position TEXT NOT NULL, event_id TEXT NOT NULL, stream TEXT NOT NULL, revision INTEGER NOT NULL,
    type TEXT NOT NULL, error TEXT NOT NULL, attempts INTEGER NOT NULL) STRICT;`;

/** An event that could not be folded, where it lies and why. */
export interface ParkedRow {
  readonly ordinal: number;
  readonly position: Position;
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly error: string;
  readonly attempts: number;
}

const longestError = 300;

/** One line of what went wrong, short, without control characters. It may quote clear data, never an opened box. */
export function shortError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\p{C}+/gu, ' ').slice(0, longestError);
}

/** Sets an event aside, or counts one more attempt at it. */
export function park(db: Database, event: RecordedEvent, ordinal: number, error: unknown): void {
  statement(
    db,
    `INSERT INTO parked VALUES (?, ?, ?, ?, ?, ?, ?, 1)
     ON CONFLICT (ordinal) DO UPDATE SET error = excluded.error, attempts = attempts + 1`,
  ).run(ordinal, event.position, event.id, event.stream, event.revision, event.type, shortError(error));
}

/** All parked events in order of the ledger. */
export function parkedRows(db: Database): readonly ParkedRow[] {
  return statement<[], ParkedRow>(
    db,
    'SELECT ordinal, position, event_id AS eventId, stream, revision, type, error, attempts FROM parked ORDER BY ordinal',
  ).all();
}

export function parkedCount(db: Database): number {
  return statement<[], number>(db, 'SELECT count(*) FROM parked').pluck().get() ?? 0;
}

/** Forgets a parked event that was folded after all, or given up. */
export function unpark(db: Database, position: Position, eventId: string): void {
  statement(db, 'DELETE FROM parked WHERE position = ? AND event_id = ?').run(position, eventId);
}
