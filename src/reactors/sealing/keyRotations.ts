import { ledgerSealStream } from '../../commands/ledgerSeal.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import type { LedgerSealEvent } from '../../events/catalogue/ledgerSeal.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';

const pageSize = 500;

type KeyRotation = Extract<LedgerSealEvent, { type: 'SealingKeyRotated' }>['data'];

/** How an epoch's keys have followed each other, oldest first. */
export async function keyRotations(reader: Pick<EventReader, 'readStream'>, epoch: number): Promise<readonly KeyRotation[]> {
  const found: KeyRotation[] = [];
  let page: readonly RecordedEvent[];
  let from = 0;
  do {
    page = await reader.readStream(ledgerSealStream, from, pageSize);
    for (const event of page) {
      const decoded = catalogue.decode(event);
      if (decoded.type === 'SealingKeyRotated' && decoded.data.epoch === epoch) found.push(decoded.data);
    }
    from += page.length;
  } while (page.length === pageSize);
  return found;
}
