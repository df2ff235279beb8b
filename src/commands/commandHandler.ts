import type { Decider } from './decider.js';
import { systemSubject, type Door, type Position } from '../events/envelope.js';

/** Who asks for what, for whom and on what occasion: the part of the envelope that the door knows. */
export interface Origin {
  readonly actor: string;
  readonly door: Door;
  readonly onBehalfOf: string | null;
  readonly workspace: string;
  readonly correlation: string | null;
  readonly causation: string | null;
}

/** The origin of what the product records by itself, on nobody's behalf. */
export function systemOrigin(workspace: string): Origin {
  return { actor: systemSubject, door: 'system', onBehalfOf: null, workspace, correlation: null, causation: null };
}

/** A folded stream. */
export interface Folded<State> {
  readonly state: State;
  /** Revision of the last event folded, or null for a stream without events. */
  readonly revision: number | null;
}

/** What came of a command. */
export type Outcome<State, Event, Refusal> =
  | (Folded<State> & {
      readonly kind: 'recorded';
      readonly events: readonly (Event & { readonly id: string })[];
      readonly position: Position;
      readonly recordedAt: number;
    })
  | (Folded<State> & { readonly kind: 'unchanged' })
  | (Folded<State> & { readonly kind: 'refused'; readonly refusal: Refusal });

/** Events of one append, as they are told to whoever listens. */
export interface Recorded {
  readonly stream: string;
  readonly workspace: string;
  readonly events: readonly { readonly type: string }[];
}

/** The one way events come into the ledger: load, decide, append, again on conflict. */
export interface CommandHandler {
  /**
   * Decides one command, or several in a row whose events are appended together or not at all.
   * @param stream full name, e.g. `toolCall-4f…`
   * @param options `expectNew`: the stream most likely does not exist yet, so do not read it first
   * @throws EventStoreError when the append fails for another reason than a conflict, or conflicts again and again
   */
  execute<Command, State, Event extends { readonly type: string }, Refusal>(
    decider: Decider<Command, State, Event, Refusal>,
    stream: string,
    commands: readonly [Command, ...Command[]],
    origin: Origin,
    options?: { readonly expectNew?: boolean },
  ): Promise<Outcome<State, Event, Refusal>>;

  /** Payloads of the stream were dropped: what is kept of it is not what is read any more. */
  forget(stream: string): void;

  /** The folded stream as it is now, at least as new as every command this handler has answered. */
  load<State, Event extends { readonly type: string }>(
    decider: Pick<Decider<never, State, Event, never>, 'initialState' | 'evolve' | 'beginsAnew'>,
    stream: string,
  ): Promise<Folded<State>>;
}
