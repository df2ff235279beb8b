import { longestWaitMs } from '../../commands/mcpServers/breaker.js';
import { remedyOf } from '../../commands/mcpServers/remedies.js';
import { isNarrow, type AccountReach } from '../../commands/mcpSignIn/narrowAccount.js';
import { durationText } from '../../platform/time/duration.js';
import type { ServerView } from '../../projections/mcpServers/queries.js';
import { commandIn } from '../../tools/availability/commandIn.js';
import { completeCommands } from '../../tools/availability/completeCommands.js';
import type { SeenStanding } from '../../tools/availability/outOfUse.js';
import { narrowReason } from '../../tools/availability/narrowReason.js';
import { reasonText, type ReasonCode } from '../../tools/availability/reasons.js';
import { iso } from '../words.js';

type Judged = Pick<ServerView, 'name' | 'state' | 'credential' | 'autoDisabled' | 'changedAt' | 'connection'> & {
  /** Left out where only what happened to the server itself is known. */
  readonly grant?: AccountReach | null;
  /** Left out where it was not looked. */
  readonly lost?: SeenStanding['lost'];
};

/** `address_missing`: on record, and not in the vault. */
export const standings = ['enabled', 'disabled', 'auto_disabled', 'quarantined', 'rate_limited', 'parked', 'credential_deleted', 'address_missing'] as const;

/** How a server stands, in one word, and all of it in sentences: since when, how often, why, until when, what to do. */
export interface Standing {
  readonly state: (typeof standings)[number];
  /** Null when there is nothing to say. */
  readonly text: string | null;
}

/** What a parked server wants, by why it is parked. */
export const parkedTexts = {
  needs_sign_in: 'It wants a sign-in or a token, and has none.',
  needs_reauthorization: 'The account that was signed in is not accepted any more, or lacks scopes.',
  needs_newer_client: 'It speaks only a newer version of MCP than this program.',
  blocked_address: 'Its address is one that may not be dialled.',
} as const;

/** What to do about what keeps a server out, where a look alone does not help; with a space behind, or blank. */
function remedy({ name, credential }: Pick<Judged, 'name' | 'credential'>, reason: string, workspace: string): string {
  const sentence = remedyOf(reason, credential === 'oauth');
  return sentence === null ? '' : `${completeCommands(sentence, { workspace, server: name, tool: null })} `;
}

/** Which of the two it is, and what to do, where the account is known. */
function parkedText(server: Pick<Judged, 'name' | 'credential' | 'grant'>, reason: keyof typeof parkedTexts, workspace: string): string {
  const { name, grant = null } = server;
  const help = remedy(server, reason, workspace);
  if (reason !== 'needs_reauthorization' || grant === null || grant.lapsed === null) return `${parkedTexts[reason]} ${help}`;
  if (!isNarrow(grant)) return `The sign-in at it is no longer valid. ${help}`;
  return `${narrowReason(grant, workspace, name)} `;
}

/**
 * Says how a server stands.
 * @param now milliseconds since the epoch
 * @param workspace whose server it is, for the commands that are named
 */
export function standingOf(server: Judged, now: number, workspace: string): Standing {
  const { name, state, credential, autoDisabled, changedAt, lost = null, connection: { streak, parked, waitUntil } } = server;
  const tryNow = `To try now: ${commandIn(workspace, `mcp refresh ${name}`)}`;
  if (autoDisabled !== null) {
    const { failures, failingSince, class: what } = autoDisabled;
    const text = `Disabled by itself at ${iso(changedAt)}, because it ${failed(failures, failingSince, what)}. ${remedy(server, what, workspace)}When it works again: ${commandIn(workspace, `mcp enable ${name}`)}`;
    return { state: 'auto_disabled', text };
  }
  if (credential === 'deleted') return { state: 'credential_deleted', text: lostText('server_credential_deleted', name, workspace) };
  if (lost === 'address') return { state: 'address_missing', text: lostText('server_address_missing', name, workspace) };
  if (state === 'disabled') return { state: 'disabled', text: null };
  if (lost !== null) return { state: 'parked', text: lostText(lost === 'token' ? 'server_token_missing' : 'server_tokens_missing', name, workspace) };
  const failing = streak === null ? null : `It ${failed(streak.failures, streak.since, streak.class)}. ${remedy(server, streak.class, workspace)}`.trimEnd();
  if (parked !== null) return { state: 'parked', text: `${parkedText(server, parked.reason, workspace)}It is looked at once a day, last at ${iso(parked.at)}. ${tryNow}` };
  if (waitUntil === null || waitUntil <= now) return { state: 'enabled', text: failing };
  if (failing === null) return { state: 'rate_limited', text: `It answered that it is asked too often, and is left alone until ${iso(waitUntil)}. A wait it asks for is kept to for ${durationText(longestWaitMs)} at most. ${tryNow}` };
  return { state: 'quarantined', text: `${failing} It is left alone until ${iso(waitUntil)}. ${tryNow}` };
}

function lostText(reason: ReasonCode, server: string, workspace: string): string {
  return completeCommands(reasonText(reason), { workspace, server, tool: null });
}

/** @param since when the first was recorded; times in milliseconds since the epoch */
export function failed(failures: number, since: number, what: string): string {
  return failures === 1 ? `failed at ${iso(since)} (${what})` : `failed ${failures} times in a row since ${iso(since)} (last: ${what})`;
}
