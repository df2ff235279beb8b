import type { LedgerOperationsEvent } from '../../events/catalogue/ledgerOperations.js';
import { boxesOf } from '../../events/box.js';
import type { Position, RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { payloadDropped } from '../../events/stub.js';

export type Drop = Extract<LedgerOperationsEvent, { type: 'EventsDropped' }>['data'];
export type Category = Drop['category'];

/** The events that expire together: a call with all that happened to it, or one count of refusals. */
export interface Unit {
  /** Ordinal of its first event. */
  readonly first: number;
  readonly stream: string;
  readonly positions: readonly Position[];
  /** Why it stays, or null. */
  readonly kept: 'newer' | 'open' | 'held' | null;
}

/** What may go. */
export interface Expiry {
  readonly category: Category;
  /** Nothing recorded at or after this, milliseconds since the epoch. */
  readonly recordedBefore: number;
  /** Ordinals, both included, between which units begin. */
  readonly from: number;
  readonly to: number;
  /** Whether a person is under a legal hold. */
  readonly isHeld: (subject: string) => boolean;
}

const pageEvents = 1_000;
/** More events than a call's stream ever has. */
const wholeCall = 16;

/**
 * Every unit of a category that begins in a stretch and still has its payload, in the ledger's order. For engines whose
 * positions are ordinals.
 */
export async function* unitsIn(reader: Pick<EventReader, 'readAll' | 'readStream' | 'countAfter'>, expiry: Expiry): AsyncGenerator<Unit> {
  const { category, recordedBefore, from, to } = expiry;
  let after: Position | null = from === 1 ? null : String(from - 1);
  for (let ordinal = from; ; ) {
    const page = await reader.readAll(after, pageEvents);
    for (const event of page) {
      if (ordinal > to || event.recordedAt >= recordedBefore) return;
      if (begins(event, category)) yield unitOf(await eventsOf(reader, event, category), ordinal, expiry);
      ordinal += 1;
      after = event.position;
    }
    if (page.length === 0) return;
  }
}

function begins({ stream, revision, type }: RecordedEvent, category: Category): boolean {
  if (type === payloadDropped || !stream.startsWith(`${category}-`)) return false;
  return category === 'toolRefusals' || (revision === 0 && (type === 'ToolCallAdmitted' || type === 'ToolCallRefused'));
}

function eventsOf(reader: Pick<EventReader, 'readStream'>, first: RecordedEvent, category: Category): Promise<readonly RecordedEvent[]> {
  return category === 'toolRefusals' ? Promise.resolve([first]) : reader.readStream(first.stream, 0, wholeCall);
}

function unitOf(events: readonly RecordedEvent[], first: number, { recordedBefore, isHeld }: Expiry): Unit {
  const people = events.flatMap(({ actor, onBehalfOf, boxes }) => [actor, onBehalfOf, ...boxesOf(boxes).map(([subject]) => subject)]);
  const last = events.at(-1);
  // An unknown outcome may still be settled, so that the call is not over.
  const isOpen = last?.type === 'ToolCallAdmitted' || last?.type === 'ToolCallOutcomeUnknown';
  const isNewer = events.some(({ recordedAt }) => recordedAt >= recordedBefore);
  const isHeldBack = people.some((subject) => subject !== null && isHeld(subject));
  return { first, stream: events[0]?.stream ?? '', positions: events.map(({ position }) => position), kept: isOpen ? 'open' : isNewer ? 'newer' : isHeldBack ? 'held' : null };
}
