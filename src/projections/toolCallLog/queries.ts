import type { Door } from '../../events/envelope.js';

export const callOutcomes = ['open', 'succeeded', 'failed', 'refused', 'cancelled', 'unknown'] as const;
/** How a call stands; a settled unknown counts as what it was settled to. */
export type CallOutcome = (typeof callOutcomes)[number];

/** What calls to find; every field given must match. Times are recordedAt in milliseconds since the epoch: from `since` on, before `until`. */
export interface CallConditions {
  readonly since?: number;
  readonly until?: number;
  readonly workspace?: string;
  readonly channel?: string;
  /** A person's subject id: as actor or as the one it was for. */
  readonly subject?: string;
  readonly tool?: string;
  /** A server's name or id. */
  readonly server?: string;
  readonly outcome?: CallOutcome;
  /** A reason code of a refusal or failure. */
  readonly reason?: string;
  /** Words that must all occur in the call's text; a trailing `*` makes a prefix. */
  readonly text?: string;
}

/** What to search for, and which page of it. */
export interface CallFilter extends CallConditions {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  /** From the page before. */
  readonly cursor?: string;
}

/** One call, as a row of the log. */
export interface CallRow {
  readonly callId: string;
  readonly recordedAt: number;
  readonly endedAt: number | null;
  readonly workspace: string;
  readonly channel: string | null;
  readonly actor: string;
  readonly door: Door;
  readonly onBehalfOf: string | null;
  readonly turn: string | null;
  /** Null when no such tool was known. */
  readonly tool: string | null;
  readonly serverId: string | null;
  readonly serverName: string | null;
  readonly outcome: CallOutcome;
  readonly reasons: readonly string[];
  readonly durationMs: number | null;
}

/** Refusals that were only counted, because their caller had too many of them in a minute. */
export interface CountedRefusals {
  readonly total: number;
  /** False when there are more counts than are looked at: then there are at least so many. */
  readonly complete: boolean;
}

export interface CallPage {
  readonly calls: readonly CallRow[];
  /** For the next page; null when this is the last. */
  readonly cursor: string | null;
}
