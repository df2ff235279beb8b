import { mcpServersDecider, mcpServersStream } from '../../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../../commands/mcpServers/mcpServersState.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../../commands/mcpSignIn/mcpSignIn.js';
import { openAuthorizationFetch } from '../../../../mcp/client/authorization/authorizationFetch.js';
import { revokeTokens } from '../../../../mcp/client/authorization/tokens/tokens.js';
import { Fault } from '../../../../platform/fault.js';
import type { OwnerServices } from '../../../services.js';
import { signerOf } from '../adminText.js';
import { failSignIn } from './endSignIn.js';
import type { PendingSignIn } from '../pendingSignIn.js';

/** A sign-in that brought tokens. */
export interface ExchangedSignIn {
  readonly pending: PendingSignIn & { readonly phase: PendingSignIn['phase'] & { readonly kind: 'exchanged' } };
  readonly version: string;
}

type Parts = Pick<OwnerServices, 'handler' | 'signIns' | 'remote' | 'vault'>;

/**
 * Records an account whose tokens lie with its sign-in, and puts it to use. Nobody uses it before those who may not are
 * kept out, and nobody uses the one before it together with this one's audience. May be done again after a crash.
 * @throws Fault `server_removed` or `sign_in_unknown` when there is nothing to use it with; it is revoked then
 */
export async function completeSignIn(parts: Parts, signIn: ExchangedSignIn): Promise<void> {
  await parts.signIns.grants.alone(signIn.pending.serverId, () => completeAlone(parts, signIn));
}

async function completeAlone(parts: Parts, signIn: ExchangedSignIn): Promise<void> {
  const { handler, signIns, remote } = parts;
  const { pending, version } = signIn;
  const { signInId, serverId, origin, scopes, resource, server, client, phase } = pending;
  const { tokens, audience } = phase;
  const signer = signerOf(origin);
  if ((await parts.vault.keyOf(signer)) === null) return giveUp(parts, signIn, new Fault('failed', 'signer_erased', 'The person who began was erased while signing in, so nothing was kept.'));
  const stream = mcpServersStream(origin.workspace);
  const registered = serverById((await handler.load(mcpServersDecider, stream)).state, serverId);
  if (registered === undefined) return giveUp(parts, signIn, serverRemoved());
  const complete = {
    type: 'Complete', serverId, signInId, signer, scopes: tokens.scopes ?? scopes, audience: audience.who,
    renewable: tokens.refreshToken !== null, expiresAt: tokens.expiresAt,
  } as const;
  const completed = await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [complete], origin);
  if (completed.kind === 'refused') return giveUp(parts, signIn, new Fault('failed', completed.refusal.code, 'The sign-in has ended in the meantime. Begin again.'));
  const isStored = (await signIns.stored.read(serverId))?.grant.signInId === signInId;
  if (!isStored) await signIns.stored.delete(serverId);
  await signIns.forgetToken(serverId);
  await remote.disconnect(serverId);
  const use = [
    { type: 'ReplaceCredential', serverId, credential: 'oauth' },
    {
      type: 'SetAudience', serverId, channels: registered.audience.channels,
      roles: audience.who === 'roles' ? audience.roles : null,
      person: audience.who === 'signer' ? signer : null,
    },
  ] as const;
  const used = await handler.execute(mcpServersDecider, stream, [use[0], use[1]], origin);
  if (used.kind === 'refused') {
    await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'SignOut', serverId, reason: 'removed', revocation: 'failed' }], origin);
    await signIns.stored.delete(serverId);
    return giveUp(parts, signIn, serverRemoved());
  }
  // One that was stored before a crash may have been renewed since.
  if (!isStored) await signIns.stored.put(serverId, { signInId, signer, workspace: origin.workspace, resource, server, client, tokens });
  await signIns.clients.put(origin.workspace, server.issuer, { client, isAnswered: true });
  await signIns.pending.end(pending, version);
}

function serverRemoved(): Fault {
  return new Fault('failed', 'server_removed', 'The server was removed while you signed in, so nothing was kept.');
}

/** @throws always what it is given */
async function giveUp({ handler, signIns }: Parts, { pending, version }: ExchangedSignIn, fault: Fault): Promise<never> {
  const { origin, server, client, resource, phase } = pending;
  // The URL of a server that was removed is gone; its resource is at the same origin.
  const fetch = openAuthorizationFetch({ url: resource, workspace: origin.workspace }, signIns.authorization);
  try {
    await revokeTokens({ server, client, tokens: phase.tokens }, fetch, new AbortController().signal);
  } finally {
    await fetch.close();
  }
  await failSignIn({ handler, signIns }, { pending, version }, fault.code, fault.message);
  throw fault;
}
