import Database from 'better-sqlite3';
import { comparePositions, type Position } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { readCheckpoint, type Checkpoint } from './checkpoint.js';
import { removeDatabase } from '../../platform/sqlite/replaceDatabase.js';
import { findReadModels } from './readModelFile.js';

/** A read model that has seen an event which the ledger does not have any more. */
export interface Loss {
  readonly view: string;
  readonly position: Position;
  /** Leaf of the event that was there, as hex. */
  readonly leaf: string;
}

/**
 * Compares every read model's checkpoint with the ledger. A ledger that is shorter, or holds another event at that
 * place, has lost what was acknowledged.
 * @param directory the one of the read models
 * @returns the furthest checkpoint that does not match, or null
 */
export async function checkLoss(reader: Pick<EventReader, 'leafAt'>, directory: string): Promise<Loss | null> {
  let furthest: Loss | null = null;
  for (const { file, name, temporary } of findReadModels(directory)) {
    const checkpoint = temporary ? null : checkpointIn(file);
    if (checkpoint === null) continue;
    if (furthest !== null && comparePositions(checkpoint.position, furthest.position) <= 0) continue;
    const there = await reader.leafAt(checkpoint.position);
    if (there !== null && Buffer.compare(there, checkpoint.leaf) === 0) continue;
    furthest = { view: name, position: checkpoint.position, leaf: Buffer.from(checkpoint.leaf).toString('hex') };
  }
  return furthest;
}

/** Removes all read models; they are built again at the next start. Nobody may have them open. */
export function discardViews(directory: string): void {
  for (const { file } of findReadModels(directory)) removeDatabase(file);
}

/** A file that cannot be read says nothing: it will be thrown away and built again. */
function checkpointIn(file: string): Checkpoint | null {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    try {
      return readCheckpoint(db);
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}
