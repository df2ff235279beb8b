import type { z } from 'zod';
import { longestWaitMs } from '../../../commands/mcpServers/breaker.js';
import type { McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import type { McpServersEvent } from '../../../events/catalogue/mcpServers/mcpServers.js';
import { durationText } from '../../../platform/time/duration.js';
import { operatorOf } from '../../operatorOf.js';
import { personName } from '../../personName.js';
import { iso } from '../../words.js';
import type { listingChanges } from '../definitions/listingChanges.js';
import { failed, parkedTexts } from '../standingText.js';

/** How a list of tools differs from the one before. */
export type ListingChange = z.output<typeof listingChanges>;

type DataOf<Type extends McpServersEvent['type']> = Extract<McpServersEvent, { type: Type }>['data'];

/**
 * Says in a sentence what happened to a server.
 * @param before the server as it was; undefined before it was registered
 * @param at who did it and when, milliseconds since the epoch
 */
export function entryText(known: McpServersEvent, before: McpServer | undefined, changes: ListingChange | null, { actor, door, recordedAt }: { readonly actor: string; readonly door: string; readonly recordedAt: number }): string {
  switch (known.type) {
    case 'McpServerRegistered': {
      const { name, kind, scheme, host, port, credential } = known.data;
      return `Registered as ${name} (${kind}) at ${scheme}://${host}:${port}, ${credential === 'token' ? 'with' : 'without'} a token.`;
    }
    case 'McpServerEnabled':
      return 'Enabled.';
    case 'McpServerDisabled':
      return 'Disabled.';
    case 'McpServerAutoDisabled': {
      const { class: what, failures, failingSince } = known.data;
      return `Disabled by itself, because it ${failed(failures, failingSince, what)}.`;
    }
    case 'McpServerRemoved':
      return 'Removed.';
    case 'McpCredentialReplaced':
      return credentialTexts[known.data.credential];
    case 'McpCredentialDeleted':
      return 'Its address and credential were deleted, because the workspace had been closed for long enough.';
    case 'McpConnectionFailed':
      return failureText(known.data, recordedAt);
    case 'McpConnectionRecovered':
      return before?.connection.streak ? `Reached again, after it ${failed(before.connection.streak.failures, before.connection.streak.since, before.connection.streak.class)}.` : 'Reached again after the wait.';
    case 'McpServerParked': {
      const { reason } = known.data;
      return before?.connection.parked?.reason === reason ? `Looked at again and still parked (${reason}).` : `Parked (${reason}). ${parkedTexts[reason]}`;
    }
    case 'McpServerUnparked':
      return 'No longer parked.';
    case 'McpSessionExpired':
      return 'It no longer knew the session during a call; the next one shakes hands again.';
    case 'McpToolsDiscovered':
      return discoveryText(known.data, before, changes);
    case 'McpToolDefinitionsAccepted':
      return `Definitions accepted of ${namesOf(before, known.data.definitions).join(', ')}.`;
    case 'McpToolSwitchSet':
      return `Its tool ${known.data.remoteName} was switched ${known.data.on ? 'on' : 'off'}.`;
    case 'McpServerAudienceSet': {
      const { roles, channels, person } = known.data;
      return `Made for ${person !== null ? `${personName(person, operatorOf({ actor, door }))} only` : roles === null ? 'everyone' : `members with one of the roles ${roles.join(', ')}`}, ${channels === null ? 'everywhere' : `in the channels ${channels.join(', ')}`}.`;
    }
  }
}

const credentialTexts = {
  token: 'Its token was replaced.',
  none: 'Its credential was taken away.',
  oauth: 'It is used with the account that was signed in.',
} as const;

function failureText({ class: what, counted, streak, cooldownMs }: DataOf<'McpConnectionFailed'>, recordedAt: number): string {
  const alone = `left alone for ${durationText(cooldownMs)}, until ${iso(recordedAt + cooldownMs)}`;
  if (counted) return `Failure ${streak} in a row (${what}): ${alone}.`;
  return cooldownMs === 0 ? `It was tried on request and failed (${what}); that does not count.` : `It asked to wait (${what}): ${alone}${cooldownMs < longestWaitMs ? '' : ', which is the longest that is kept to'}; that does not count.`;
}

function discoveryText({ tools, skipped, instructions }: DataOf<'McpToolsDiscovered'>, before: McpServer | undefined, changes: ListingChange | null): string {
  const leftOut = skipped.length === 0 ? '' : ` Left out: ${skipped.length}.`;
  if (before === undefined || before.discovery === 'unknown') {
    return `Tools discovered: ${tools.length === 0 ? 'none' : tools.map(({ name }) => name).join(', ')}.${leftOut}`;
  }
  const parts = (['added', 'changed', 'removed'] as const).flatMap((what) => (changes?.[what].length ? [`${what}: ${changes[what].join(', ')}`] : []));
  if (before.discovery.instructions?.hash !== instructions?.hash) parts.push('what it says of how to use it');
  return `What it offers changed: ${parts.length === 0 ? 'no tool did, but their order or what is left out' : parts.join('; ')}.${leftOut}`;
}

/** Names of the tools that these definitions belong to; of a definition that it no longer lists, the hash. */
function namesOf(server: McpServer | undefined, definitions: readonly string[]): readonly string[] {
  const offered = server === undefined || server.discovery === 'unknown' ? [] : server.discovery.tools;
  return definitions.flatMap((hash) => {
    const names = offered.filter(({ definition }) => definition === hash).map(({ name }) => name);
    return names.length === 0 ? [hash] : names;
  });
}
