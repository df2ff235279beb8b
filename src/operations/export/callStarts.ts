import { LRUCache } from 'lru-cache';
import type { AnyEvent, Catalogue } from '../../events/catalogue/catalogue.js';
import type { ToolCallEvent } from '../../events/catalogue/toolCall.js';
import type { Position, RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { callEventTypes, callIdOf, factsOf, type CallFacts } from '../../projections/callFacts.js';

/** How a call began. */
interface CallStart {
  readonly callId: string;
  /** Its place in the call log: the ordinal of the event it begins with. */
  readonly place: number;
  readonly facts: CallFacts;
}

/** Most beginnings kept in memory; those of calls that are still running are needed again. */
const mostKept = 10_000;

/** Whether an event is one of a single call. */
export function isCallStep(event: AnyEvent): event is ToolCallEvent {
  return (callEventTypes as readonly string[]).includes(event.type);
}

/** Knows how calls began, for whoever goes through the ledger in order: endings do not say it. */
export class CallStarts {
  readonly #kept = new LRUCache<string, CallStart>({ max: mostKept });

  constructor(
    private readonly ledger: Pick<EventReader, 'readStream' | 'countAfter'>,
    private readonly catalogue: Catalogue,
  ) {}

  /**
   * What is known without reading: of the first event of a call, and of one that was seen to begin not long ago.
   * @param ordinal how many events of the ledger lie up to and including this one
   */
  seen(event: RecordedEvent, step: ToolCallEvent, ordinal: number): CallStart | undefined {
    const start = startOf(event, step, ordinal);
    if (start === null) return this.#kept.get(event.stream);
    this.#kept.set(event.stream, start);
    return start;
  }

  /** @returns null when the stream does not begin as a call's does */
  async read(stream: string): Promise<CallStart | null> {
    const [first] = await this.ledger.readStream(stream, 0, 1);
    if (first === undefined) return null;
    const step = this.catalogue.decode(first);
    const start = isCallStep(step) ? startOf(first, step, await ordinalOf(this.ledger, first.position)) : null;
    if (start !== null) this.#kept.set(stream, start);
    return start;
  }
}

function startOf(event: RecordedEvent, step: ToolCallEvent, ordinal: number): CallStart | null {
  if (step.type !== 'ToolCallAdmitted' && step.type !== 'ToolCallRefused') return null;
  // Own fields first: a field after a spread is slow on Node 20.
  const seen = { ordinal, envelope: event, ...step };
  return { callId: callIdOf(seen), place: ordinal, facts: factsOf(seen) };
}

/** How many events lie up to and including a position; asked again when the ledger grew meanwhile. */
export async function ordinalOf(ledger: Pick<EventReader, 'countAfter'>, position: Position): Promise<number> {
  for (;;) {
    const all = await ledger.countAfter(null);
    const after = await ledger.countAfter(position);
    if ((await ledger.countAfter(null)) === all) return all - after;
  }
}
