import type { CommandHandler } from '../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import { issuerBefore, type McpSignInState } from '../../../commands/mcpSignIn/mcpSignInState.js';
import type { McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import { AuthorizationFault } from '../../../mcp/client/authorization/authorizationFault.js';
import { openAuthorizationFetch } from '../../../mcp/client/authorization/authorizationFetch.js';
import { chooseClient } from '../../../mcp/client/authorization/client/clientIdentity.js';
import type { OAuthClient } from '../../../mcp/client/authorization/client/oauthClient.js';
import { discover, type Discovery } from '../../../mcp/client/authorization/discovery/discover.js';
import { wantedScopes } from '../../../mcp/client/authorization/wantedScopes.js';
import { Fault } from '../../../platform/fault.js';
import type { KnownClient } from '../../../mcp/client/grants/clientStore.js';
import { completeCommands } from '../../../tools/availability/completeCommands.js';
import { reasonText } from '../../../tools/availability/reasons.js';
import type { Caller } from '../../../tools/call.js';
import { originOf } from '../../origin.js';
import type { OwnerServices } from '../../services.js';
import { commandsFor } from './commandsFor.js';
import { signInLifeMs, type PendingSignIn } from './pending/pendingSignIn.js';
import { newSignInSecret } from './pending/signInSecrets.js';

/** What an admin says of who we are at the authorization server. */
export type ClientSaid =
  /** What is known, else what can be had. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'client'; readonly clientId: string; readonly clientSecret: string | null }
  /** One that was given or registered before is not used any more. */
  | { readonly kind: 'register' };

/**
 * Finds out how to sign in at a server, makes us known to its authorization server, and begins a sign-in: on record, and
 * with everything secret of it in the vault.
 * @throws Fault with the code of what did not work, which is on record; nothing was begun then
 */
export async function startSignIn(services: OwnerServices, server: McpServer, said: ClientSaid, caller: Caller, workspace: string, signal: AbortSignal): Promise<PendingSignIn> {
  const { handler, secrets, signIns, clock } = services;
  const { serverId, name: serverName } = server;
  const stored = await secrets.get(serverId);
  if (stored === null) throw new Fault('failed', 'address_missing', completeCommands(reasonText('server_address_missing'), { workspace, server: serverName, tool: null }), { workspace, name: serverName });
  const stream = mcpSignInStream(serverId);
  const { state } = await handler.load(mcpSignInDecider, stream);
  const door = await signIns.door();
  const redirectUri = `${door.origin}/oauth/callback`;
  const target = { url: stored.url, workspace };
  const origin = originOf(caller, workspace);
  const signInId = services.newId();
  const { discovery, client, scopes } = await onRecord({ handler, serverId, signInId, serverName, origin }, async () => {
    const discovery = await discover(target, state.issuer, signIns.authorization, signal);
    const scopes = wantedScopes(discovery, earlierScopes(state, discovery.server.issuer));
    return { discovery, scopes, client: await ourClient(services, { target, discovery, said, redirectUri, scopes, metadataDocument: door.metadataDocument }, signal) };
  });
  const pending: PendingSignIn = {
    signInId,
    serverId,
    serverName,
    origin,
    resource: discovery.resource,
    server: discovery.server,
    issuerBefore: issuerBefore(state, discovery.server.issuer),
    client,
    redirectUri,
    scopes,
    expiresAt: clock.now() + signInLifeMs,
    secrets: { link: newSignInSecret(signIns.randomBytes), form: newSignInSecret(signIns.randomBytes), state: newSignInSecret(signIns.randomBytes) },
    phase: { kind: 'offered' },
  };
  await signIns.pending.put(pending);
  const start = { type: 'Start', serverId, signInId, issuer: discovery.server.issuer, client: client.source, scopes } as const;
  await handler.execute(mcpSignInDecider, stream, [start], origin);
  return pending;
}

/** What was missing, and what the account before was asked for and has, at the same authorization server: signing in again loses nothing. */
function earlierScopes({ wanted, grant }: McpSignInState, issuer: string): readonly string[] {
  return grant?.issuer === issuer ? [...wanted, ...(grant.requested ?? []), ...(grant.scopes ?? [])] : wanted;
}

interface ClientWish {
  readonly target: { readonly url: string; readonly workspace: string };
  readonly discovery: Discovery;
  readonly said: ClientSaid;
  readonly redirectUri: string;
  readonly scopes: readonly string[] | null;
  readonly metadataDocument: string | null;
}

/** Who we are at the authorization server; registered anew when it never answered for who we were. */
async function ourClient({ signIns, clock }: OwnerServices, { target, discovery, said, redirectUri, scopes, metadataDocument }: ClientWish, signal: AbortSignal): Promise<OAuthClient> {
  const { server } = discovery;
  const kept = said.kind === 'register' ? null : await signIns.clients.read(target.workspace, server.issuer);
  const known = kept !== null && mayBeKnown(kept) ? kept.client : null;
  const fetch = openAuthorizationFetch(target, signIns.authorization);
  try {
    const mayNeed = [...new Set([...(scopes ?? []), ...(discovery.scopes.offered ?? [])])];
    const { version } = signIns.authorization;
    const client = await chooseClient(
      { server, known, given: said.kind === 'client' ? said : null, metadataDocumentUrl: said.kind === 'register' ? null : metadataDocument, redirectUri, scopes: mayNeed, version, now: clock.now() },
      fetch,
      signal,
    );
    // One that an admin gave may be wrong: it is kept once it has worked.
    if (client.source !== 'given') await signIns.clients.put(target.workspace, server.issuer, { client, isAnswered: false });
    return client;
  } finally {
    await fetch.close();
  }
}

/** One that was registered, and with which nobody came back, may be forgotten there; nobody but the browser would see that. */
function mayBeKnown({ client, isAnswered }: KnownClient): boolean {
  return client.source !== 'registered' || isAnswered;
}

/** Records what did not work: what a server wants of us, and may not have, is seen that way. */
async function onRecord<T>({ handler, ...begun }: Pick<PendingSignIn, 'serverId' | 'signInId' | 'serverName' | 'origin'> & { readonly handler: CommandHandler }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AuthorizationFault)) throw error;
    const { serverId, signInId, origin } = begun;
    await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'FailToStart', serverId, signInId, reason: error.code }], origin);
    throw new Fault('failed', error.code, commandsFor(begun, error.message));
  }
}
