import type { EventReader } from '../../events/eventStore.js';
import { Fault } from '../../platform/fault.js';
import { refuseCutLog } from '../../reactors/sealing/checking/cutLog.js';
import { sealedSoFar } from '../../reactors/sealing/newestSeal.js';
import type { SealFiles } from '../../reactors/sealing/sealFiles.js';
import type { SealingKeys } from '../../reactors/sealing/sealingKeys.js';
import { findSealLoss } from '../../reactors/sealing/checking/sealLoss.js';

/**
 * Refuses a ledger that is shorter than, or different from, what a checkpoint outside of it says, and a checkpoint log
 * that lacks what the ledger says it was given.
 * @param keys of the vault, where that is open
 * @throws Fault `ledger_incomplete`, `foreign_checkpoint`, `checkpoint_log_cut`
 */
export async function refuseSealLoss(ledger: EventReader, files: SealFiles, keys: SealingKeys | null): Promise<void> {
  const loss = await findSealLoss(ledger, await sealedSoFar(ledger), files, keys);
  if (loss === null) {
    await refuseCutLog(ledger, files);
    return;
  }
  const head = await ledger.head();
  const ends = head === null ? 'is empty' : `ends at position ${head.position}`;
  const how = loss.kind === 'shorter' ? 'has lost events' : 'holds other events than it did';
  throw new Fault(
    'damaged',
    'ledger_incomplete',
    `The ledger ${how}: a ${loss.knownFrom} was signed in epoch ${loss.epoch}, and the ledger, which ${ends}, is not the one it was signed for. ` +
      'Put the right ledger.db back, or go on with what is there by `toolledger ledger accept-loss`.',
    { position: loss.position, knownFrom: loss.knownFrom, epoch: loss.epoch, head: head?.position ?? null },
  );
}
