import { isDeepStrictEqual } from 'node:util';
import type { BuiltInToolsEvent } from '../events/catalogue/builtInTools.js';
import { accepted } from './accepted.js';
import type { Decider } from './decider.js';

/** The built-in tools of a program, as the ledger says it. */
export type OfferedTools = BuiltInToolsEvent['data']['tools'];

/** Say which built-in tools the program has; "unchanged" when it said so last. */
export interface BuiltInToolsCommand {
  readonly type: 'Offer';
  readonly tools: OfferedTools;
}

/** What was said last; null: nothing yet, which is not the same as none. */
export interface BuiltInToolsState {
  readonly tools: OfferedTools | null;
}

/** The one stream in which programs say what built-in tools they have. */
export const builtInToolsStream = 'program-tools';

/** Which built-in tools there are, over the versions of the program. */
export const builtInToolsDecider: Decider<BuiltInToolsCommand, BuiltInToolsState, BuiltInToolsEvent, never> = {
  initialState: () => ({ tools: null }),
  decide: ({ tools }, state) => (isDeepStrictEqual(tools, state.tools) ? accepted() : accepted({ type: 'BuiltInToolsOffered', data: { tools } })),
  evolve: (_state, { data }) => ({ tools: data.tools }),
};
