import { systemOrigin, type CommandHandler } from '../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { AuthorizationParts } from '../authorization/authorizationFetch.js';
import { revokeGrant } from './revokeGrant.js';
import type { ServerToEnd } from './serverInVault.js';
import type { StoredGrant } from './storedGrant.js';

/**
 * Tells the authorization server of tokens that no account is used with, and puts on record what became of that.
 * @param signal gives it up; nothing is recorded then
 * @throws what kept it from being recorded
 */
export async function giveUpTokens(
  { handler, authorization }: { readonly handler: CommandHandler; readonly authorization: AuthorizationParts },
  { serverId, workspace, url }: ServerToEnd,
  grant: Pick<StoredGrant, 'signInId' | 'server' | 'client' | 'tokens'>,
  reason: string,
  signal?: AbortSignal,
): Promise<void> {
  const revocation = url === null ? 'failed' : await revokeGrant({ serverId, workspace, url }, grant, authorization, signal);
  if (signal?.aborted === true) return;
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'GiveUpTokens', serverId, signInId: grant.signInId, reason, revocation }], systemOrigin(workspace));
}
