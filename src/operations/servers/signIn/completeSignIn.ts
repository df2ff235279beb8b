import type { Origin } from '../../../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../commands/mcpServers/mcpServersState.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { StoredGrant } from '../../../mcp/client/grants/storedGrant.js';
import { counted } from '../../../platform/counted.js';
import { Fault } from '../../../platform/fault.js';
import type { OwnerServices } from '../../services.js';
import type { PendingSignIn, SignInAudience } from './pendingSignIn.js';

type Parts = Pick<OwnerServices, 'handler' | 'signIns' | 'remote' | 'reach'>;

/**
 * Records an account whose tokens lie in the vault, puts it to use, and looks what the server offers with it. May be done
 * again after a crash.
 * @returns what to tell the admin
 */
export async function completeSignIn(parts: Parts, pending: PendingSignIn, grant: StoredGrant, audience: SignInAudience, signal: AbortSignal): Promise<string> {
  const { handler, signIns, remote } = parts;
  const { signInId, serverId, origin, serverName, scopes } = pending;
  const { tokens, signer } = grant;
  const complete = {
    type: 'Complete', serverId, signInId, signer, scopes: tokens.scopes ?? scopes, audience: audience.who,
    renewable: tokens.refreshToken !== null, expiresAt: tokens.expiresAt,
  } as const;
  const outcome = await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [complete], origin);
  if (outcome.kind === 'refused') throw new Fault('failed', outcome.refusal.code, 'The sign-in has ended in the meantime. Begin again.');
  await useAccount(parts, pending, grant, audience);
  await signIns.forgetToken(serverId);
  await signIns.clients.put(origin.workspace, pending.server.issuer, { client: pending.client, isAnswered: true });
  await signIns.pending.delete(signInId);
  await remote.disconnect(serverId);
  const tools = await toolsNow(parts, pending, origin, signal);
  const sentence = typeof tools === 'number' ? `Signed in to ${serverName}; it offers ${counted(tools, 'tool')}.` : `Signed in to ${serverName}, but it cannot be used yet: ${tools}`;
  signIns.outcomes.tell(signInId, { status: 'signed_in', reason: null, message: sentence, tools: typeof tools === 'number' ? tools : null });
  return sentence;
}

async function useAccount({ handler, signIns }: Parts, { serverId, origin }: PendingSignIn, { signer }: StoredGrant, { who, roles }: SignInAudience): Promise<void> {
  const stream = mcpServersStream(origin.workspace);
  const server = serverById((await handler.load(mcpServersDecider, stream)).state, serverId);
  if (server === undefined) {
    await signIns.grants.end({ serverId, workspace: origin.workspace, url: null }, 'removed', origin);
    throw new Fault('failed', 'not_found', 'The server was removed while you signed in.');
  }
  const audience = { roles: who === 'roles' ? roles : null, channels: server.audience.channels, person: who === 'signer' ? signer : null };
  const commands = [{ type: 'ReplaceCredential', serverId, credential: 'oauth' }, { type: 'SetAudience', serverId, ...audience }] as const;
  await handler.execute(mcpServersDecider, stream, [commands[0], commands[1]], origin);
}

/** How many tools it offers, or why that cannot be said. */
async function toolsNow({ reach }: Parts, { serverId, serverName }: PendingSignIn, origin: Origin, signal: AbortSignal): Promise<number | string> {
  const reached = await reach.reach({ workspace: origin.workspace, serverId, name: serverName }, signal, origin);
  return reached.ok ? reached.listing.tools.length : reached.message;
}
