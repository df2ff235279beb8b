import { Fault } from '../../../platform/fault.js';
import type { NoteVerifier } from '../../../platform/tlog/noteKey.js';
import { isSignedBy, parsedCheckpoint, type KnownCheckpoint } from '../../../reactors/sealing/checking/knownCheckpoint.js';
import { ledgerOf } from '../../../reactors/sealing/sealingKeys.js';
import type { SealFiles } from '../../../reactors/sealing/sealFiles.js';
import type { LedgerFacts } from './ledgerFacts.js';

/** A checkpoint that is known outside a backup. */
interface Outside {
  readonly epoch: number;
  readonly size: number;
}

/** What checkpoints outside a backup tell of. */
export interface OutsideHeads {
  /** The furthest one of this ledger; null: none is known. `isVerified`: its signature is one of a key that is known here. */
  readonly newest: (Outside & { readonly isVerified: boolean }) | null;
  /** The largest one that the backup's tree can be compared with; null: none covers only events of the backup. */
  readonly covering: (Outside & { readonly root: string }) | null;
}

/**
 * Looks through `seals/` and the checkpoint log for what a backup must agree with: checkpoints of its own epoch, and those
 * of earlier ones that it has on record. Trees of later epochs may differ; they only say how much there was.
 * @param keys of seals, those of the present ledger included where that can be read
 */
export async function outsideHeads(files: SealFiles, backup: LedgerFacts, keys: readonly NoteVerifier[]): Promise<OutsideHeads> {
  const ledgers = new Set(keys.map(({ vkey }) => ledgerOf(vkey)));
  let furthest: KnownCheckpoint | null = null;
  let covering: OutsideHeads['covering'] = null;
  for await (const text of textsIn(files)) {
    const known = parsedOrNull(text);
    if (known === null || known.epoch === 0 || (ledgers.size > 0 && !ledgers.has(known.ledger))) continue;
    if (furthest === null || known.epoch > furthest.epoch || (known.epoch === furthest.epoch && known.size > furthest.size)) furthest = known;
    if (known.size > backup.events || known.size <= (covering?.size ?? 0)) continue;
    const fits = backup.seals.hasRecorded(text) || (known.epoch === backup.epoch && isSignedBy(known, keys));
    if (fits) covering = { epoch: known.epoch, size: known.size, root: Buffer.from(known.root).toString('hex') };
  }
  return { newest: furthest && { epoch: furthest.epoch, size: furthest.size, isVerified: isSignedBy(furthest, keys) }, covering };
}

async function* textsIn(files: SealFiles): AsyncGenerator<string> {
  for (const epoch of await files.epochs()) {
    const text = await files.published(epoch);
    if (text !== null) yield text;
  }
  for await (const text of files.logged()) if (text !== null) yield text;
}

/** What is damaged says nothing; the next start names it. */
function parsedOrNull(text: string): KnownCheckpoint | null {
  try {
    return parsedCheckpoint(text);
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
