import { ledgerOperationsStream } from '../../../commands/ledgerOperations.js';
import { catalogue } from '../../../events/catalogue/catalogue.js';
import type { LedgerOperationsEvent } from '../../../events/catalogue/ledgerOperations.js';
import type { Position } from '../../../events/envelope.js';
import type { EventReader } from '../../../events/eventStore.js';

const pageSize = 500;

/** An epoch that is over. */
export interface PastEpoch {
  readonly epoch: number;
  /** The newest event that was kept of it, leaf as hex; null: none. */
  readonly kept: { readonly position: Position; readonly leaf: string } | null;
  /** The event that began the next one. */
  readonly endedAt: Position;
  /** The last checkpoint that was known of it then, where somebody said. */
  readonly checkpoint: string | null;
}

/** The epochs of a ledger, from the events that began them. */
export interface Epochs {
  /** Oldest first. */
  readonly past: readonly PastEpoch[];
  readonly present: number;
}

/** @throws EventStoreError; Fault of the catalogue */
export async function readEpochs(reader: Pick<EventReader, 'readStream'>): Promise<Epochs> {
  const past: PastEpoch[] = [];
  let present = 1;
  for (let from = 0; ; from += pageSize) {
    const page = await reader.readStream(ledgerOperationsStream, from, pageSize);
    for (const event of page) {
      const { type, data } = catalogue.decode(event) as LedgerOperationsEvent;
      if (type !== 'LossAccepted' && type !== 'LedgerRestored') continue;
      past.push({ epoch: present, kept: data.kept, endedAt: event.position, checkpoint: type === 'LossAccepted' ? data.checkpoint : null });
      present = data.epoch;
    }
    if (page.length < pageSize) return { past, present };
  }
}

/** How many events were kept of an epoch. Positions of the embedded engine are ordinals. */
export function sizeKept({ kept }: Pick<PastEpoch, 'kept'>): number {
  return kept === null ? 0 : Number(kept.position);
}

/**
 * Compares what began an epoch with what lies before it.
 * @returns what is wrong, for people; null: nothing
 */
export async function keptDiffers(reader: Pick<EventReader, 'leafAt'>, past: PastEpoch): Promise<string | null> {
  const { kept, endedAt, epoch } = past;
  if (Number(endedAt) !== sizeKept(past) + 1) return `what ended epoch ${epoch} says that the first ${sizeKept(past)} were kept, and lies at position ${endedAt}`;
  const leaf = kept === null ? null : await reader.leafAt(kept.position);
  return kept === null || (leaf !== null && Buffer.from(leaf).toString('hex') === kept.leaf) ? null : `the event is not the one that was the newest when epoch ${epoch} ended`;
}
