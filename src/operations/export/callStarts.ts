import { LRUCache } from 'lru-cache';
import type { AnyEvent, Catalogue } from '../../events/catalogue/catalogue.js';
import type { ToolCallEvent } from '../../events/catalogue/toolCall.js';
import type { Position, RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { callEventTypes, callIdOf, factsOf, isCallStart, type CallFacts } from '../../projections/callFacts.js';

/** How a call began. */
interface CallStart {
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
   * @param ordinal how many events of the ledger lie up to and including this one
   * @returns null when the stream does not begin as a call's does
   */
  async of(event: RecordedEvent, step: ToolCallEvent, ordinal: number): Promise<(CallStart & { readonly callId: string }) | null> {
    const callId = callIdOf({ ...step, ordinal, envelope: event });
    const start = this.#startOf(event, step, ordinal) ?? this.#kept.get(callId) ?? (await this.#read(event.stream));
    if (start === null) return null;
    this.#kept.set(callId, start);
    return { callId, ...start };
  }

  #startOf(event: RecordedEvent, step: ToolCallEvent, ordinal: number): CallStart | null {
    const seen = { ...step, ordinal, envelope: event };
    return isCallStart(seen) ? { place: ordinal, facts: factsOf(seen) } : null;
  }

  async #read(stream: string): Promise<CallStart | null> {
    const [first] = await this.ledger.readStream(stream, 0, 1);
    if (first === undefined) return null;
    const step = this.catalogue.decode(first);
    return isCallStep(step) ? this.#startOf(first, step, await ordinalOf(this.ledger, first.position)) : null;
  }
}

/** How many events lie up to and including a position; asked again when the ledger grew meanwhile. */
export async function ordinalOf(ledger: Pick<EventReader, 'countAfter'>, position: Position): Promise<number> {
  for (;;) {
    const all = await ledger.countAfter(null);
    const after = await ledger.countAfter(position);
    if ((await ledger.countAfter(null)) === all) return all - after;
  }
}
