import type { ServerView } from '../../projections/mcpServers/queries.js';
import { reasonText } from '../../tools/availability/reasons.js';
import { iso } from '../words.js';

type Judged = Pick<ServerView, 'name' | 'state' | 'credential' | 'autoDisabled' | 'changedAt' | 'connection'>;

/** How a server stands, in one word, and all of it in sentences: since when, how often, why, until when, what to do. */
export interface Standing {
  readonly state: 'enabled' | 'disabled' | 'auto_disabled' | 'quarantined' | 'rate_limited' | 'parked' | 'credential_deleted';
  /** Null when there is nothing to say. */
  readonly text: string | null;
}

/** What a parked server wants, by why it is parked. */
export const parkedTexts = {
  needs_sign_in: 'It wants a sign-in or a token, and has none.',
  needs_reauthorization: 'The sign-in at it is no longer valid.',
  needs_newer_client: 'It speaks only a newer version of MCP than this program.',
  blocked_address: 'Its address is one that may not be dialled.',
} as const;

/**
 * Says how a server stands.
 * @param now milliseconds since the epoch
 */
export function standingOf(server: Judged, now: number): Standing {
  const { name, state, credential, autoDisabled, changedAt, connection: { streak, parked, waitUntil } } = server;
  const tryNow = `To try now: toolledger mcp refresh ${name}`;
  if (autoDisabled !== null) {
    const { failures, failingSince, class: what } = autoDisabled;
    const text = `Disabled by itself at ${iso(changedAt)}, because it ${failed(failures, failingSince, what)}. When it works again: toolledger mcp enable ${name}`;
    return { state: 'auto_disabled', text };
  }
  if (credential === 'deleted') return { state: 'credential_deleted', text: reasonText('server_credential_deleted') };
  if (state === 'disabled') return { state: 'disabled', text: null };
  const failing = streak === null ? null : `It ${failed(streak.failures, streak.since, streak.class)}.`;
  if (parked !== null) return { state: 'parked', text: `${parkedTexts[parked.reason]} It was looked at ${iso(parked.at)} and is once a day. ${tryNow}` };
  if (waitUntil === null || waitUntil <= now) return { state: 'enabled', text: failing };
  if (failing === null) return { state: 'rate_limited', text: `It asked to be left alone until ${iso(waitUntil)}. ${tryNow}` };
  return { state: 'quarantined', text: `${failing} It is left alone until ${iso(waitUntil)}. ${tryNow}` };
}

/** @param since when the first was recorded; times in milliseconds since the epoch */
export function failed(failures: number, since: number, what: string): string {
  return failures === 1 ? `failed at ${iso(since)} (${what})` : `failed ${failures} times in a row since ${iso(since)} (last: ${what})`;
}
