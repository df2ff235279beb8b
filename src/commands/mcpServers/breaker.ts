import { parkedReasons } from '../../events/catalogue/mcpServers/connection.js';
import type { McpServersEvent } from '../../events/catalogue/mcpServers/mcpServers.js';
import { accepted } from '../accepted.js';
import type { Decision } from '../decider.js';
import type { McpServer, McpServersState } from './mcpServersState.js';

const dayMs = 86_400_000;

/** A server that asks to be left alone is, but never longer than this, in milliseconds. */
export const longestWaitMs = dayMs;

/** A parked server is looked at again after this time, in milliseconds. */
const parkedLookMs = dayMs;
/** The longest quarantine is this many times the base. */
const longestCooldown = 36;

/** How long a streak of failures may go on; times in milliseconds. */
export interface StreakLimits {
  /** No quarantine is longer. */
  readonly longestMs: number;
  /** A streak at least this old disables the server at its next failure. */
  readonly autoDisableAfterMs: number;
}

/** What holds for the servers of this product, by the first quarantine of a streak. */
export function limitsFor(baseMs: number): StreakLimits {
  return { longestMs: baseMs * longestCooldown, autoDisableAfterMs: dayMs };
}

/** An attempt to connect and list that failed. */
export interface ConnectionFailure {
  /** What kind of failure, e.g. `timeout`. */
  readonly class: string;
  /** Revision of the servers' stream when the attempt began. */
  readonly revision: number;
  /** An admin asked for the attempt, so its failure is not counted. */
  readonly asked: boolean;
  /** How long the server asked to be left alone, in milliseconds; null when it did not say. */
  readonly retryAfterMs: number | null;
  /** The caller's clock. */
  readonly now: number;
  /** First quarantine of a streak, in milliseconds. */
  readonly baseMs: number;
}

/** How long failure number `failures` of a streak quarantines a server: twice as long each time, up to the longest. */
export function cooldownOf(failures: number, baseMs: number, { longestMs }: Pick<StreakLimits, 'longestMs'> = limitsFor(baseMs)): number {
  return Math.min(baseMs * 2 ** (failures - 1), longestMs);
}

/**
 * Decides what a failed attempt means for a server. Attempts that overlap count once: one that began before the last
 * judgement of the connection says nothing new.
 * @param limits other ones than the product's, to see what they would have led to
 */
export function judgeFailure(
  server: McpServer,
  failure: ConnectionFailure,
  state: Pick<McpServersState, 'lastRecordedAt'>,
  limits: StreakLimits = limitsFor(failure.baseMs),
): Decision<McpServersEvent, never> {
  const { serverId, connection } = server;
  if (failure.revision < connection.judgedAt || (server.status === 'disabled' && !failure.asked)) return accepted();
  const reason = parkedReasons.find((known) => known === failure.class);
  if (reason !== undefined) return accepted({ type: 'McpServerParked', data: { serverId, reason } });

  const known = connection.streak?.failures ?? 0;
  const failed = { serverId, class: failure.class };
  if (failure.asked) return accepted({ type: 'McpConnectionFailed', data: { ...failed, counted: false, streak: known, cooldownMs: 0 } });
  if (failure.class === 'rate_limited') {
    const cooldownMs = Math.min(failure.retryAfterMs ?? failure.baseMs, longestWaitMs);
    return accepted({ type: 'McpConnectionFailed', data: { ...failed, counted: false, streak: known, cooldownMs } });
  }
  const failures = known + 1;
  const counted = { type: 'McpConnectionFailed', data: { ...failed, counted: true, streak: failures, cooldownMs: cooldownOf(failures, failure.baseMs, limits) } } as const;
  const since = connection.streak?.since;
  // A clock that was set back must not make a streak younger than the ledger knows it to be.
  const now = Math.max(failure.now, state.lastRecordedAt);
  if (since === undefined || now - since < limits.autoDisableAfterMs) return accepted(counted);
  return accepted<McpServersEvent>(counted, { type: 'McpServerAutoDisabled', data: { ...failed, failures, failingSince: since } });
}

/** Whether a server may be dialled unasked at a moment, in milliseconds since the epoch. */
export function isDialable({ status, credential, connection: { waitUntil, parked } }: Pick<McpServer, 'status' | 'credential' | 'connection'>, now: number): boolean {
  if (status !== 'enabled' || credential === 'deleted') return false;
  return (waitUntil === null || waitUntil <= now) && (parked === null || parked.at + parkedLookMs <= now);
}

/** Decides what it means that a server was reached and listed its tools. */
export function judgeSuccess({ serverId, connection }: McpServer): Decision<McpServersEvent, never> {
  const events: McpServersEvent[] = [];
  if (connection.streak !== null || connection.waitUntil !== null) events.push({ type: 'McpConnectionRecovered', data: { serverId } });
  if (connection.parked !== null) events.push({ type: 'McpServerUnparked', data: { serverId } });
  return { kind: 'accepted', events };
}
