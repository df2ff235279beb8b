import { ledgerOperationsDecider, ledgerOperationsStream } from '../../commands/ledgerOperations.js';
import { ledgerSealStream, type Seal } from '../../commands/ledgerSeal.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import type { LedgerOperationsEvent } from '../../events/catalogue/ledgerOperations.js';
import type { LedgerSealEvent } from '../../events/catalogue/ledgerSeal.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { newestFirst } from '../../events/newestFirst.js';

const pageSize = 500;

/** What the ledger itself says of its seals. */
export interface SealedSoFar {
  /** The present epoch, from 1. */
  readonly epoch: number;
  /** The newest seal, of whatever epoch, or null. */
  readonly seal: Seal | null;
  /** vkey of the key that signs now, or null before the first seal. */
  readonly key: string | null;
}

/**
 * Reads how far a ledger is sealed from the end of its streams, so that it does not take longer with every seal.
 * @throws EventStoreError `corrupt`; Fault of the catalogue
 */
export async function sealedSoFar(reader: Pick<EventReader, 'readStream'>): Promise<SealedSoFar> {
  const epoch = await epochOf(reader);
  let key: string | null = null;
  for await (const { type, data } of sealsNewestFirst(reader)) {
    if (type === 'LedgerSealed') return { epoch, seal: data, key: key ?? data.key };
    // Rotations since the newest seal: the newest of them says which key signs.
    key ??= data.to;
  }
  return { epoch, seal: null, key };
}

/** A seal that the ledger holds, and the keys that have signed since. */
export interface RecordedSeal {
  readonly seal: Seal | null;
  /** vkeys. */
  readonly keys: readonly string[];
}

/**
 * Looks for the seal of so many events. Its cost grows with the number of seals since then, which is hardly ever more
 * than one.
 */
export async function recordedSeal(reader: Pick<EventReader, 'readStream'>, { epoch, size }: Pick<Seal, 'epoch' | 'size'>): Promise<RecordedSeal> {
  const keys = new Set<string>();
  for await (const { type, data } of sealsNewestFirst(reader)) {
    for (const vkey of type === 'LedgerSealed' ? [data.key] : [data.from, data.to]) keys.add(vkey);
    if (type !== 'LedgerSealed') continue;
    if (data.epoch === epoch && data.size === size) return { seal: data, keys: [...keys] };
    if (data.epoch < epoch || (data.epoch === epoch && data.size < size)) break;
  }
  return { seal: null, keys: [...keys] };
}

/** The events of sealing, read one by one from the end. */
export async function* sealsNewestFirst(reader: Pick<EventReader, 'readStream'>): AsyncGenerator<LedgerSealEvent> {
  for await (const event of newestFirst(reader, ledgerSealStream)) yield catalogue.decode(event) as LedgerSealEvent;
}

async function epochOf(reader: Pick<EventReader, 'readStream'>): Promise<number> {
  let state = ledgerOperationsDecider.initialState();
  let page: readonly RecordedEvent[];
  let from = 0;
  do {
    page = await reader.readStream(ledgerOperationsStream, from, pageSize);
    for (const event of page) state = ledgerOperationsDecider.evolve(state, catalogue.decode(event) as LedgerOperationsEvent, event);
    from += page.length;
  } while (page.length === pageSize);
  return state.epoch;
}
