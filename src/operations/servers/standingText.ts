import { longestWaitMs } from '../../commands/mcpServers/breaker.js';
import { durationText } from '../../platform/duration.js';
import type { ServerView } from '../../projections/mcpServers/queries.js';
import { commandIn } from '../../tools/availability/commandIn.js';
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

/** What to do about what keeps a server out, where a look alone does not help; with a space behind, or blank. */
function remedy(name: string, reason: string, workspace: string): string {
  const setToken = commandIn(workspace, `mcp set-token ${name} --token-prompt`);
  const signIn = commandIn(workspace, `mcp sign-in ${name}`);
  switch (reason) {
    case 'needs_sign_in':
      return `Sign in: ${signIn}, or give it a token: ${setToken}. `;
    case 'needs_reauthorization':
      return `Sign in again: ${signIn}. `;
    case 'unauthorized':
      return `Its token is not accepted; set another one: ${setToken}. `;
    default:
      return '';
  }
}

/**
 * Says how a server stands.
 * @param now milliseconds since the epoch
 * @param workspace whose server it is, for the commands that are named
 */
export function standingOf(server: Judged, now: number, workspace: string): Standing {
  const { name, state, credential, autoDisabled, changedAt, connection: { streak, parked, waitUntil } } = server;
  const tryNow = `To try now: ${commandIn(workspace, `mcp refresh ${name}`)}`;
  if (autoDisabled !== null) {
    const { failures, failingSince, class: what } = autoDisabled;
    const text = `Disabled by itself at ${iso(changedAt)}, because it ${failed(failures, failingSince, what)}. ${remedy(name, what, workspace)}When it works again: ${commandIn(workspace, `mcp enable ${name}`)}`;
    return { state: 'auto_disabled', text };
  }
  if (credential === 'deleted') return { state: 'credential_deleted', text: reasonText('server_credential_deleted') };
  if (state === 'disabled') return { state: 'disabled', text: null };
  const failing = streak === null ? null : `It ${failed(streak.failures, streak.since, streak.class)}. ${remedy(name, streak.class, workspace)}`.trimEnd();
  if (parked !== null) return { state: 'parked', text: `${parkedTexts[parked.reason]} ${remedy(name, parked.reason, workspace)}It is looked at once a day, last at ${iso(parked.at)}. ${tryNow}` };
  if (waitUntil === null || waitUntil <= now) return { state: 'enabled', text: failing };
  if (failing === null) return { state: 'rate_limited', text: `It answered that it is asked too often, and is left alone until ${iso(waitUntil)}. A wait it asks for is kept to for ${durationText(longestWaitMs)} at most. ${tryNow}` };
  return { state: 'quarantined', text: `${failing} It is left alone until ${iso(waitUntil)}. ${tryNow}` };
}

/** @param since when the first was recorded; times in milliseconds since the epoch */
export function failed(failures: number, since: number, what: string): string {
  return failures === 1 ? `failed at ${iso(since)} (${what})` : `failed ${failures} times in a row since ${iso(since)} (last: ${what})`;
}
