import type { PayloadDropped } from '../../events/catalogue/payloadDropped.js';
import type { ToolCallEvent } from '../../events/catalogue/toolCall.js';
import type { EventPlace } from '../decider.js';

/** How a call ended. */
export type EndingKind = 'succeeded' | 'failed' | 'cancelled' | 'unknown';

/** What an unknown outcome was settled to. */
export type Verdict = 'succeeded' | 'failed';

/** What tells a call from another one under the same id. */
export interface CallIdentity {
  /** Canonical name, or null when no such tool is known. */
  readonly tool: string | null;
  /** Keyed digest of the canonical arguments, or null when they were not readable. */
  readonly argumentsDigest: string | null;
}

/** A call that was let through. */
interface AdmittedCall extends CallIdentity {
  /** When the run is given up, milliseconds since the epoch (caller's clock). */
  readonly deadline: number;
  /** The process instance that runs it. */
  readonly runner: string;
}

/** The one ending of a call. */
interface CallEnding {
  readonly how: EndingKind;
  /** Failure code, cause of an unknown outcome, or who cancelled; null for a success. */
  readonly code: string | null;
  /** Where the ending lies in the stream. */
  readonly revision: number;
}

/** What became of an unknown outcome after all. */
interface CallSettlement {
  readonly verdict: Verdict;
  readonly source: 'person' | 'late_answer';
  readonly revision: number;
}

/** How a call stands. Texts lie in boxes: to show them again, read the event at `revision`. */
export type ToolCallState =
  | { readonly kind: 'none' }
  /** It was there; what it was, and how it ended, is not kept any more. */
  | { readonly kind: 'dropped' }
  | { readonly kind: 'open'; readonly call: AdmittedCall }
  | { readonly kind: 'refused'; readonly call: CallIdentity; readonly reasons: readonly string[]; readonly revision: number }
  | { readonly kind: 'ended'; readonly call: AdmittedCall; readonly ending: CallEnding; readonly settled: CallSettlement | null };

/**
 * Whether a recorded call is the one now given: same tool, same arguments. Only then may a repeat be answered from
 * the record; otherwise the id is used for two different things.
 */
export function isSameCall(state: ToolCallState, given: CallIdentity): boolean {
  return 'call' in state && state.call.tool === given.tool && state.call.argumentsDigest === given.argumentsDigest;
}

/** Folds one event into how the call stands. */
export function evolveToolCall(state: ToolCallState, event: ToolCallEvent | PayloadDropped, at: EventPlace): ToolCallState {
  switch (event.type) {
    case 'PayloadDropped':
      return { kind: 'dropped' };
    case 'ToolCallAdmitted': {
      const { tool, argumentsDigest, deadline } = event.data;
      return { kind: 'open', call: { tool, argumentsDigest, deadline, runner: at.runner } };
    }
    case 'ToolCallRefused': {
      const { tool, argumentsDigest, reasons } = event.data;
      return { kind: 'refused', call: { tool, argumentsDigest }, reasons, revision: at.revision };
    }
    case 'ToolCallSucceeded':
      return end(state, { how: 'succeeded', code: null, revision: at.revision });
    case 'ToolCallFailed':
      return end(state, { how: 'failed', code: event.data.code, revision: at.revision });
    case 'ToolCallCancelled':
      return end(state, { how: 'cancelled', code: event.data.by, revision: at.revision });
    case 'ToolCallOutcomeUnknown':
      return end(state, { how: 'unknown', code: event.data.cause, revision: at.revision });
    case 'ToolCallOutcomeSettled': {
      const { verdict, source } = event.data;
      return state.kind === 'ended' ? { ...state, settled: { verdict, source, revision: at.revision } } : state;
    }
  }
}

function end(state: ToolCallState, ending: CallEnding): ToolCallState {
  return state.kind === 'open' ? { kind: 'ended', call: state.call, ending, settled: null } : state;
}
