import type { Database } from 'better-sqlite3';
import type { Position } from '../../events/envelope.js';
import { statement } from './statements.js';

/** How far a read model has come; written in the same transaction as its rows. */
export interface Checkpoint {
  readonly position: Position;
  /** Leaf of the event at that position: a ledger that has another one there has lost events. */
  readonly leaf: Uint8Array;
  /** How many events of the ledger were passed. */
  readonly ordinal: number;
}

export const checkpointTable = `
  CREATE TABLE checkpoint (
    projection TEXT PRIMARY KEY, version INTEGER NOT NULL, position TEXT, leaf BLOB, ordinal INTEGER NOT NULL) STRICT;`;

/** SQL that marks a file as belonging to a projection, at the beginning of the ledger. */
export function initialCheckpoint(projection: string, version: number): string {
  return `INSERT INTO checkpoint VALUES ('${projection}', ${version}, NULL, NULL, 0);`;
}

interface StoredCheckpoint {
  readonly projection: string;
  readonly version: number;
  readonly position: Position | null;
  readonly leaf: Buffer | null;
  readonly ordinal: number;
}

/** Whose file it is, and how far it is; null position: nothing folded yet. Undefined: not a read model. */
export function storedCheckpoint(db: Database): StoredCheckpoint | undefined {
  return statement<[], StoredCheckpoint>(db, 'SELECT projection, version, position, leaf, ordinal FROM checkpoint').get();
}

/** @returns null when nothing was folded yet */
export function readCheckpoint(db: Database): Checkpoint | null {
  const stored = storedCheckpoint(db);
  if (stored === undefined || stored.position === null || stored.leaf === null) return null;
  return { position: stored.position, leaf: stored.leaf, ordinal: stored.ordinal };
}

export function saveCheckpoint(db: Database, { position, leaf, ordinal }: Checkpoint): void {
  statement(db, 'UPDATE checkpoint SET position = ?, leaf = ?, ordinal = ?').run(position, leaf, ordinal);
}
