import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../platform/fault.js';
import { rootOf } from '../../../platform/tlog/merkleProof.js';
import { tileHashes } from '../../../platform/tlog/tileHashes.js';
import { openTileStore } from '../../../platform/tlog/tileStore.js';
import type { SealFiles } from '../sealFiles.js';
import { isSignedBy, parsedCheckpoint } from './knownCheckpoint.js';
import type { RecordedSeals } from './recordedSeals.js';
import { counted } from '../../../platform/text/counted.js';

/** The tree of an epoch that is over, as far as the ledger kept it. */
export interface PastTree {
  readonly epoch: number;
  /** Where its tiles lie. */
  readonly directory: string;
  /** How many leaves it has. */
  readonly size: number;
  /** Of so many first leaves the ledger says that they were signed. */
  readonly kept: number;
}

/** What lies in `seals/` of an epoch that is over. */
export interface PastSeals {
  /**
   * `gone`: nothing to check. `as_signed`: its tree is the one its checkpoint was signed for, and begins with what the
   * ledger kept of it. `unknown_key`: the same, signed by a key the ledger does not know. `given_up`: it is
   * the tree of events the ledger does not have.
   */
  readonly state: 'gone' | 'as_signed' | 'unknown_key' | 'given_up';
  /** How many events its newest checkpoint there tells of; null: there is none. */
  readonly published: number | null;
  /** To be compared with the events themselves; null: nothing is. */
  readonly tree: PastTree | null;
}

/**
 * Checks the checkpoint and the tiles of an epoch that is over with each other, and with what the ledger recorded of that
 * epoch; with no other epoch. Nobody makes them again, so what is gone is gone.
 * @returns a text for people when they are damaged
 */
export async function judgePastSeals(files: SealFiles, epoch: number, recorded: RecordedSeals): Promise<PastSeals | string> {
  const text = await files.published(epoch);
  if (text === null) return { state: 'gone', published: null, tree: null };
  const directory = files.logDirectory(epoch);
  try {
    const known = parsedCheckpoint(text);
    if (known.epoch !== epoch) return `${join(directory, 'checkpoint')} is of another log (${known.origin})`;
    if (!existsSync(join(directory, 'tile'))) return { state: 'gone', published: known.size, tree: null };
    const store = openTileStore(directory);
    const subtree = tileHashes(known.size, (tile) => store.read(tile));
    if (Buffer.compare(rootOf(known.size, subtree), known.root) !== 0) return `the tiles in ${directory} are not those that its checkpoint of ${counted(known.size, 'event')} was signed for`;
    const kept = recorded.newestOf(epoch, known.size);
    if (kept === null || rootOf(kept.size, subtree).toString('hex') !== kept.root) return { state: 'given_up', published: known.size, tree: null };
    return { state: isSignedBy(known, recorded.keys) ? 'as_signed' : 'unknown_key', published: known.size, tree: { epoch, directory, size: known.size, kept: kept.size } };
  } catch (error) {
    if (error instanceof Fault) return error.code === 'tile_missing' ? `${join(directory, tileOf(error))} is missing or too short` : `${join(directory, 'checkpoint')}: ${error.message}`;
    throw error;
  }
}

function tileOf({ details }: Fault): string {
  const tile = details['tile'];
  return typeof tile === 'string' ? tile : 'tile';
}
