import type { JsonValue } from '../../platform/json.js';
import type { ToolCallEvent } from '../../events/catalogue/toolCall.js';
import { accepted, personalOf, refused } from '../accepted.js';
import type { Decider, Decision, Proposed } from '../decider.js';
import { evolveToolCall, type EndingKind, type ToolCallState, type Verdict } from './toolCallState.js';

/**
 * A command with the clear data of the event it asks for, and what goes into the box of `subject`: the person the
 * call is for, else the one who acts.
 */
interface Told<Type extends string, EventType extends ToolCallEvent['type'], Personal> {
  readonly type: Type;
  readonly data: Extract<ToolCallEvent, { type: EventType }>['data'];
  readonly subject: string;
  readonly personal: Personal;
}

/** What can be asked of one call. */
export type ToolCallCommand =
  /** It passed every gate and is about to run. */
  | Told<'Admit', 'ToolCallAdmitted', { readonly arguments?: JsonValue }>
  /** It was judged and not let through. */
  | Told<'Refuse', 'ToolCallRefused', { readonly toolName?: string; readonly arguments?: JsonValue; readonly detail?: string }>
  /** An answer arrived, and it worked. */
  | Told<'Succeed', 'ToolCallSucceeded', { readonly preview: string }>
  /** An answer arrived and it is a failure, or a gate closed before anything was sent. */
  | Told<'Fail', 'ToolCallFailed', { readonly error: string; readonly preview?: string }>
  /** Something was sent and no answer is known. */
  | Told<'LoseTrack', 'ToolCallOutcomeUnknown', { readonly error?: string }>
  /** What became of an unknown outcome after all. */
  | Told<'Settle', 'ToolCallOutcomeSettled', { readonly because?: string; readonly preview?: string }>
  /** Provably nothing was sent, or the tool confirmed that it stopped. */
  | Pick<Told<'Cancel', 'ToolCallCancelled', never>, 'type' | 'data'>;

/** Why a command about a call is refused. */
export type ToolCallRefusal =
  /** The id was used before: answer with what is recorded, or say `call_id_conflict`; see `isSameCall`. */
  | { readonly code: 'already_recorded' }
  /** No call was admitted under this id. */
  | { readonly code: 'not_admitted' }
  /** The call was refused and never ran. */
  | { readonly code: 'was_refused' }
  /** The call is on record, and its payload was dropped. */
  | { readonly code: 'was_dropped' }
  /** It has its one ending. */
  | { readonly code: 'already_ended'; readonly how: EndingKind }
  /** It is still running; only an unknown outcome can be settled. */
  | { readonly code: 'still_open' }
  /** Its outcome is known; there is nothing to settle. */
  | { readonly code: 'outcome_known'; readonly how: EndingKind }
  /** Its unknown outcome was settled before. */
  | { readonly code: 'already_settled'; readonly verdict: Verdict };

type CallDecision = Decision<ToolCallEvent, ToolCallRefusal>;

/** The stream of a call, by its stored id. */
export function toolCallStream(callId: string): string {
  return `toolCall-${callId}`;
}

/** One call: admitted or refused once, one ending, and an unknown ending settled at most once. */
export const toolCallDecider: Decider<ToolCallCommand, ToolCallState, ToolCallEvent, ToolCallRefusal> = {
  initialState: () => ({ kind: 'none' }),
  decide,
  evolve: evolveToolCall,
};

function decide(command: ToolCallCommand, state: ToolCallState): CallDecision {
  switch (command.type) {
    case 'Admit':
      return begin(state, { type: 'ToolCallAdmitted', data: command.data, personal: personalOf(command) });
    case 'Refuse':
      return begin(state, { type: 'ToolCallRefused', data: command.data, personal: personalOf(command) });
    case 'Succeed':
      return end(state, { type: 'ToolCallSucceeded', data: command.data, personal: personalOf(command) });
    case 'Fail':
      return end(state, { type: 'ToolCallFailed', data: command.data, personal: personalOf(command) });
    case 'Cancel':
      return end(state, { type: 'ToolCallCancelled', data: command.data });
    case 'LoseTrack':
      return end(state, { type: 'ToolCallOutcomeUnknown', data: command.data, personal: personalOf(command) });
    case 'Settle':
      return settle(state, { type: 'ToolCallOutcomeSettled', data: command.data, personal: personalOf(command) });
  }
}

function begin(state: ToolCallState, event: Proposed<ToolCallEvent>): CallDecision {
  return state.kind === 'none' ? accepted(event) : refused({ code: 'already_recorded' });
}

function end(state: ToolCallState, event: Proposed<ToolCallEvent>): CallDecision {
  if (state.kind === 'open') return accepted(event);
  if (state.kind === 'ended') return refused({ code: 'already_ended', how: state.ending.how });
  return neverRan(state);
}

function settle(state: ToolCallState, event: Proposed<ToolCallEvent>): CallDecision {
  if (state.kind === 'open') return refused({ code: 'still_open' });
  if (state.kind !== 'ended') return neverRan(state);
  if (state.ending.how !== 'unknown') return refused({ code: 'outcome_known', how: state.ending.how });
  if (state.settled !== null) return refused({ code: 'already_settled', verdict: state.settled.verdict });
  return accepted(event);
}

function neverRan({ kind }: ToolCallState & { readonly kind: 'none' | 'refused' | 'dropped' }): CallDecision {
  return refused({ code: kind === 'none' ? 'not_admitted' : kind === 'refused' ? 'was_refused' : 'was_dropped' });
}
