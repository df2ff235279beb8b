import type { CallBasis, ToolCallRoute } from '../../../events/catalogue/toolCall.js';
import type { Kept } from './kept.js';

/** A call as it was judged, in the words of the ledger. */
export interface Judged {
  /** Canonical name, or null when there is no such tool. */
  readonly tool: string | null;
  readonly route: ToolCallRoute | null;
  readonly kept: Kept;
  /** Revisions of what it was judged on. */
  readonly basis: CallBasis;
}

/** Why a call is not let through. */
export interface Refusal {
  readonly reasons: readonly [string, ...string[]];
  /** What the caller is told instead of the sentences of the reasons. */
  readonly detail?: string;
  /** The stored call whose id was given again for something else. */
  readonly conflictsWith?: string;
}
