import type { JsonObject } from '../platform/json.js';
import type { RecordedEvent } from '../events/envelope.js';

/**
 * Where and when an event lies, for folds that need more than its data. While several commands are decided in a row,
 * `recordedAt` of the ones before is not known yet and is the caller's clock.
 */
export type EventPlace = Omit<RecordedEvent, 'data' | 'boxes' | 'leaf' | 'type' | 'version' | 'position'>;

/** One person's values of an event, to be sealed with that person's key. At most one entry a person. */
export interface PersonalValues {
  readonly subject: string;
  readonly values: JsonObject;
}

/** An event that a decider wants recorded. */
export type Proposed<Event> = Event & { readonly personal?: readonly PersonalValues[] };

/** What a decider says: what is to be recorded (nothing, when the wish is already so), or why not. */
export type Decision<Event, Refusal> =
  | { readonly kind: 'accepted'; readonly events: readonly Proposed<Event>[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * What may happen in one family of streams, as three pure functions. Time, ids and randomness come in the command.
 * Only clear data is seen, never the content of boxes.
 */
export interface Decider<Command, State, Event extends { readonly type: string }, Refusal> {
  initialState(): State;
  decide(command: Command, state: State): Decision<Event, Refusal>;
  evolve(state: State, event: Event, at: EventPlace): State;
  /** Whether the state after an event is the same whatever came before it: the stream is then read only from the newest such event on. */
  beginsAnew?(event: Event): boolean;
}
