import type { ToolRefusalsEvent } from '../../events/catalogue/toolCall.js';
import type { Decider } from '../decider.js';

/** Refusals of one caller that were too many in a minute to be recorded singly. */
export interface CountRefusals {
  readonly type: 'CountRefusals';
  readonly caller: string;
  /** Start of the minute, milliseconds since the epoch. */
  readonly since: number;
  /** How many refusals had each reason code. */
  readonly counts: Readonly<Record<string, number>>;
  readonly total: number;
}

/** Stream `toolRefusals-<workspace>`: a plain record; nothing is ever decided from it. */
export const toolRefusals: Decider<CountRefusals, null, ToolRefusalsEvent, never> = {
  initialState: () => null,
  decide({ caller, since, counts, total }) {
    return { kind: 'accepted', events: total === 0 ? [] : [{ type: 'ToolCallRefusalsCounted', data: { caller, since, counts: { ...counts }, total } }] };
  },
  evolve: () => null,
};
