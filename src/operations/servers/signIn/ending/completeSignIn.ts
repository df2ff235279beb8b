import { mcpServersDecider, mcpServersStream } from '../../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../../commands/mcpServers/mcpServersState.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../../commands/mcpSignIn/mcpSignIn.js';
import { giveUpTokens } from '../../../../mcp/client/grants/giveUpTokens.js';
import type { HeldAccount } from '../../../../mcp/client/grants/heldAccount.js';
import type { StoredGrant } from '../../../../mcp/client/grants/storedGrant.js';
import { Fault } from '../../../../platform/fault.js';
import type { OwnerServices } from '../../../services.js';
import { isClosed } from '../../../workspaces/requireOpen.js';
import { commandsFor } from '../commandsFor.js';
import { signerOf } from '../whoBegan.js';
import { failSignIn } from './failSignIn.js';
import type { PendingSignIn } from '../pending/pendingSignIn.js';
import { withoutAccount } from '../signingOut/withoutAccount.js';

/** A sign-in that brought tokens. */
export interface ExchangedSignIn {
  readonly pending: PendingSignIn & { readonly phase: PendingSignIn['phase'] & { readonly kind: 'exchanged' } };
  readonly version: string;
}

type Parts = Pick<OwnerServices, 'handler' | 'signIns' | 'remote' | 'vault' | 'clock' | 'secrets'>;

/**
 * Records an account whose tokens lie with its sign-in, and puts it to use. Nobody uses it before those who may not are
 * kept out, and nobody uses the one before it together with this one's audience. May be done again after a crash.
 * @throws Fault `server_removed`, `signer_erased`, `workspace_closed` or `sign_in_unknown` when there is nothing to use it with, or nobody whose
 *   it is: it is revoked then
 */
export async function completeSignIn(parts: Parts, signIn: ExchangedSignIn): Promise<void> {
  const { serverId, origin } = signIn.pending;
  await parts.signIns.grants.alone(serverId, (held) => completeAlone(parts, signIn, held));
  if (!(await isErased(parts, signIn))) return;
  // Whoever erased them found no account yet.
  await parts.signIns.grants.suspendErased();
  throw signerErased(origin.workspace);
}

async function completeAlone(parts: Parts, signIn: ExchangedSignIn, held: HeldAccount): Promise<void> {
  const { handler, signIns, remote } = parts;
  const { pending, version } = signIn;
  const { signInId, serverId, origin, scopes, resource, server, client, phase } = pending;
  const { tokens, audience } = phase;
  const signer = signerOf(origin);
  if (await isErased(parts, signIn)) return giveUp(parts, signIn, held, signerErased(origin.workspace));
  if (await isClosed(handler, origin.workspace)) return giveUp(parts, signIn, held, workspaceClosed(origin.workspace));
  const stream = mcpServersStream(origin.workspace);
  const registered = serverById((await handler.load(mcpServersDecider, stream)).state, serverId);
  if (registered === undefined) return giveUp(parts, signIn, held, serverRemoved());
  const grant = grantOf(pending);
  const before = await signIns.stored.read(serverId);
  const isStored = before?.grant.signInId === signInId;
  if (before !== null && !isStored && isApart(before.grant, grant)) await held.end({ serverId, workspace: origin.workspace, url: resource }, { reason: 'replaced', origin });
  const complete = {
    type: 'Complete', serverId, signInId, signer, scopes: tokens.scopes ?? scopes, audience: audience.who,
    renewable: tokens.refreshToken !== null, expiresAt: tokens.expiresAt,
  } as const;
  const completed = await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [complete], origin);
  if (completed.kind === 'refused') return giveUp(parts, signIn, held, new Fault('failed', completed.refusal.code, commandsFor(pending, 'The sign-in has ended in the meantime. Begin again with `toolledger mcp sign-in`.')));
  if (before !== null && !isStored) await signIns.stored.drop(serverId, before.version);
  await parts.secrets.setToken(serverId, null);
  await remote.disconnect(serverId);
  const use = [
    { type: 'ReplaceCredential', serverId, credential: 'oauth' },
    {
      type: 'SetAudience', serverId,
      roles: audience.who === 'roles' ? audience.roles : null,
      person: audience.who === 'signer' ? signer : null,
    },
  ] as const;
  const used = await handler.execute(mcpServersDecider, stream, [use[0], use[1]], origin);
  if (used.kind === 'refused') return giveUp(parts, signIn, held, serverRemoved());
  // One that was stored before a crash may have been renewed since.
  if (!isStored) await signIns.stored.swap(serverId, grant, null);
  await signIns.clients.put(origin.workspace, server.issuer, { client, isAnswered: true });
  await signIns.pending.end(pending, version);
}

/**
 * Whether an account is another person's, or of another client or authorization server, so that it is revoked when this
 * one takes its place. Of one's own, some authorization servers would end this one with it.
 */
function isApart(before: StoredGrant, { signer, server, client }: StoredGrant): boolean {
  return before.signer !== signer || before.server.issuer !== server.issuer || before.client.clientId !== client.clientId;
}

async function isErased({ vault }: Parts, { pending }: ExchangedSignIn): Promise<boolean> {
  return (await vault.keyOf(signerOf(pending.origin))) === null;
}

function signerErased(workspace: string): Fault {
  return new Fault('failed', 'signer_erased', 'The person who began was erased while signing in, so nothing was kept.', { workspace });
}

function workspaceClosed(workspace: string): Fault {
  return new Fault('failed', 'workspace_closed', 'The workspace was closed while you signed in, so nothing was kept.', { workspace });
}

function serverRemoved(): Fault {
  return new Fault('failed', 'server_removed', 'The server was removed while you signed in, so nothing was kept.');
}

function grantOf({ signInId, origin, resource, server, client, phase }: ExchangedSignIn['pending']): StoredGrant {
  return { signInId, signer: signerOf(origin), workspace: origin.workspace, resource, server, client, tokens: phase.tokens };
}

/** @throws always what it is given */
async function giveUp(parts: Parts, { pending, version }: ExchangedSignIn, held: HeldAccount, fault: Fault): Promise<never> {
  const { handler, signIns } = parts;
  const { signInId, serverId, origin, resource } = pending;
  const grant = grantOf(pending);
  // The URL of a server that was removed is gone; its resource is at the same origin.
  const at = { serverId, workspace: origin.workspace, url: resource };
  const { state } = await handler.load(mcpSignInDecider, mcpSignInStream(serverId));
  if (state.grant?.signInId === signInId) {
    const stored = await signIns.stored.read(serverId);
    if (stored?.grant.signInId !== signInId) await signIns.stored.swap(serverId, grant, stored?.version ?? null);
    await held.end(at, { reason: fault.code, origin, next: () => withoutAccount(parts, serverId, origin) });
  } else await giveUpTokens({ handler, authorization: signIns.authorization }, at, grant, fault.code);
  await failSignIn({ handler, signIns }, { pending, version }, fault.code, fault.message);
  throw fault;
}
