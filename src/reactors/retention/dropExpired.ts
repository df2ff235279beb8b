import type { CommandHandler, Origin } from '../../commands/commandHandler.js';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../commands/ledgerOperations.js';
import type { EventStore } from '../../events/eventStore.js';
import { payloadDropped } from '../../events/stub.js';
import { unitsIn, type Drop, type Expiry, type Unit } from './expiredUnits.js';

/** How many units go at once: bounds the event that records it and the time for which appends wait. */
const unitsAtOnce = 500;

/** What dropping needs. */
export interface RetentionParts {
  readonly store: Pick<EventStore, 'readAll' | 'readStream' | 'countAfter' | 'dropPayloads'>;
  readonly handler: Pick<CommandHandler, 'execute' | 'load' | 'forget'>;
}

/** What expired, counted. */
export interface Expired {
  readonly units: number;
  readonly events: number;
  /** Units that are old enough and stay, by why. */
  readonly kept: { readonly open: number; readonly newer: number; readonly held: number };
  /** Ordinals of the first and the last event that goes; null when none does. */
  readonly first: number | null;
  readonly last: number | null;
}

/** Counts what would go, and changes nothing. */
export async function countExpired({ store }: Pick<RetentionParts, 'store'>, expiry: Expiry): Promise<Expired> {
  let [units, events, last] = [0, 0, 0];
  let first: number | null = null;
  const kept = { open: 0, newer: 0, held: 0 };
  for await (const unit of unitsIn(store, expiry)) {
    if (unit.kept !== null) {
      kept[unit.kept] += 1;
      continue;
    }
    units += 1;
    events += unit.positions.length;
    first ??= unit.first;
    last = Math.max(last, ...unit.positions.map(Number));
  }
  return { units, events, kept, first, last: first === null ? null : last };
}

/**
 * Drops the payloads of what expired, some units at a time: each time the decision is recorded first, so that views drop
 * the same, and a crash in between is finished by `finishDrops`.
 * @param onDropped told how many events have gone so far
 */
export async function dropExpired(parts: RetentionParts, expiry: Expiry, origin: Origin, onDropped: (events: number) => void, signal: AbortSignal): Promise<void> {
  let batch: Unit[] = [];
  let dropped = 0;
  const dropBatch = async (): Promise<void> => {
    const drop = dropOf(batch, expiry);
    const going = batch;
    batch = [];
    if (drop === null) return;
    signal.throwIfAborted();
    await parts.handler.execute(ledgerOperationsDecider, ledgerOperationsStream, [{ type: 'DropEvents', drop }], origin);
    await carryOut(parts, going);
    dropped += drop.events;
    onDropped(dropped);
  };
  for await (const unit of unitsIn(parts.store, expiry)) {
    batch.push(unit);
    if (batch.length >= unitsAtOnce) await dropBatch();
  }
  await dropBatch();
}

/**
 * Drops what the newest record of each category says is dropped and a crash has left. The payloads of one record go
 * together or not at all, so a look at its first tells whether they went.
 * @returns how many events went now
 */
export async function finishDrops(parts: RetentionParts): Promise<number> {
  const { state } = await parts.handler.load(ledgerOperationsDecider, ledgerOperationsStream);
  let events = 0;
  for (const [category, { from, to, kept, recordedBefore }] of state.drops) {
    const [first] = await parts.store.readAll(from === 1 ? null : String(from - 1), 1);
    if (first?.type === payloadDropped) continue;
    const left: Unit[] = [];
    const stay = new Set(kept);
    const expiry = { category, from, to, recordedBefore, isHeld: () => false };
    for await (const unit of unitsIn(parts.store, expiry)) if (!stay.has(unit.first)) left.push({ ...unit, kept: null });
    events += await carryOut(parts, left);
  }
  return events;
}

function dropOf(batch: readonly Unit[], { category, recordedBefore }: Expiry): Drop | null {
  const going = batch.filter(({ kept }) => kept === null);
  const [from, to] = [going[0]?.first, going.at(-1)?.first];
  if (from === undefined || to === undefined) return null;
  return {
    category,
    from,
    to,
    kept: batch.filter(({ kept, first }) => kept !== null && first > from && first < to).map(({ first }) => first),
    events: going.reduce((sum, { positions }) => sum + positions.length, 0),
    recordedBefore,
  };
}

async function carryOut({ store, handler }: RetentionParts, units: readonly Unit[]): Promise<number> {
  const going = units.filter(({ kept }) => kept === null);
  const positions = going.flatMap((unit) => unit.positions);
  if (positions.length > 0) await store.dropPayloads(positions);
  for (const { stream } of going) handler.forget(stream);
  return positions.length;
}
