import { isDeepStrictEqual } from 'node:util';
import type { TurnEvent } from '../events/catalogue/turn.js';
import { accepted } from './accepted.js';
import type { Decider } from './decider.js';

type Declaration = Extract<TurnEvent, { type: 'ToolsDeclared' }>['data'];

/** Put on record what is about to be shown; "unchanged" when it is what was shown last. */
export interface TurnCommand {
  readonly type: 'Declare';
  readonly shown: Declaration;
}

/** What was shown last, or null. */
export interface TurnState {
  readonly shown: Declaration | null;
}

/** The stream of a turn, or of a client that calls without turns, by its id. */
export function turnStream(turnId: string): string {
  return `turn-${turnId}`;
}

/** What is shown in the course of a turn. */
export const turnDecider: Decider<TurnCommand, TurnState, TurnEvent, never> = {
  initialState: () => ({ shown: null }),
  decide: ({ shown }, state) => (isDeepStrictEqual(shown, state.shown) ? accepted() : accepted({ type: 'ToolsDeclared', data: shown })),
  evolve: (_state, event) => ({ shown: event.data }),
};
