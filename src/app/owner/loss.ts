import type { EventReader } from '../../events/eventStore.js';
import { Fault } from '../../platform/fault.js';
import { checkLoss } from '../../projections/readModel/loss.js';
import type { DataFiles } from '../dataFiles.js';

/**
 * Refuses a ledger that is shorter than, or different from, what a view has seen of it.
 * @throws Fault `ledger_incomplete`
 */
export async function refuseLoss(ledger: Pick<EventReader, 'leafAt' | 'head'>, files: DataFiles): Promise<void> {
  const loss = await checkLoss(ledger, files.readModels);
  if (loss === null) return;
  const head = await ledger.head();
  const ends = head === null ? 'is empty' : `ends at position ${head.position}`;
  throw new Fault(
    'damaged',
    'ledger_incomplete',
    `${files.ledger} has lost events: the view ${loss.view} had folded position ${loss.position}, which is missing or different; the ledger ${ends}. ` +
      'Put the right ledger.db back, or go on without what is missing with `toolledger ledger accept-loss`.',
    { position: loss.position, view: loss.view, head: head?.position ?? null },
  );
}
