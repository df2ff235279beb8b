import { ledgerOperationsStream } from '../../../commands/ledgerOperations.js';
import { ledgerPrivacyDecider, ledgerPrivacyStream } from '../../../commands/ledgerPrivacy.js';
import { catalogue } from '../../../events/catalogue/catalogue.js';
import type { LedgerOperationsEvent } from '../../../events/catalogue/ledgerOperations.js';
import type { LedgerPrivacyEvent } from '../../../events/catalogue/ledgerPrivacy.js';
import type { RecordedEvent } from '../../../events/envelope.js';
import type { EventReader } from '../../../events/eventStore.js';
import { readEpochs } from '../../../reactors/sealing/checking/epochs.js';
import { RecordedSeals } from '../../../reactors/sealing/checking/recordedSeals.js';

const pageSize = 1_000;

/** What of a ledger matters when another one takes its place. */
export interface LedgerFacts {
  readonly events: number;
  readonly epoch: number;
  /** Whom a legal hold protects. */
  readonly held: ReadonlySet<string>;
  readonly erased: ReadonlySet<string>;
  /** Payload drops: how many events each took the payloads of, by the event's id. */
  readonly drops: ReadonlyMap<string, number>;
  readonly seals: RecordedSeals;
}

/** @throws EventStoreError; Fault of the catalogue */
export async function readFacts(ledger: EventReader): Promise<LedgerFacts> {
  const erased = new Set<string>();
  let privacy = ledgerPrivacyDecider.initialState();
  for await (const event of eventsOf(ledger, ledgerPrivacyStream)) {
    const decoded = catalogue.decode(event) as LedgerPrivacyEvent;
    if (decoded.type === 'SubjectErased') erased.add(decoded.data.subject);
    privacy = ledgerPrivacyDecider.evolve(privacy, decoded, event);
  }
  const drops = new Map<string, number>();
  for await (const event of eventsOf(ledger, ledgerOperationsStream)) {
    const { type, data } = catalogue.decode(event) as LedgerOperationsEvent;
    if (type === 'EventsDropped') drops.set(event.id, data.events);
  }
  const seals = new RecordedSeals(ledger, null);
  await seals.readOn();
  return { events: await ledger.countAfter(null), epoch: (await readEpochs(ledger)).present, held: privacy.held, erased, drops, seals };
}

async function* eventsOf(ledger: Pick<EventReader, 'readStream'>, stream: string): AsyncGenerator<RecordedEvent> {
  for (let from = 0; ; from += pageSize) {
    const page = await ledger.readStream(stream, from, pageSize);
    yield* page;
    if (page.length < pageSize) return;
  }
}
