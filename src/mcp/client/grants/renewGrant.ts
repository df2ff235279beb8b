import { systemOrigin, type CommandHandler } from '../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { Clock } from '../../../platform/time/clock.js';
import { AuthorizationFault, type AuthorizationFaultCode } from '../authorization/authorizationFault.js';
import { openAuthorizationFetch, type AuthorizationFetch, type AuthorizationParts } from '../authorization/authorizationFetch.js';
import type { TokenSet } from '../authorization/tokens/tokenAnswer.js';
import { refreshTokens } from '../authorization/tokens/tokens.js';
import { AccountFault } from '../connecting/account.js';
import type { ClientStore } from './clientStore.js';
import { giveUpTokens } from './giveUpTokens.js';
import { lapseGrant } from './lapseGrant.js';
import type { ServerInVault } from './serverInVault.js';
import type { GrantStore, StoredGrant, VersionedGrant } from './storedGrant.js';
import type { UnderLease } from './underLease.js';

/** Tokens that came and could not be kept yet, and what they are to take the place of. */
export interface UnkeptTokens {
  readonly server: ServerInVault;
  readonly renewed: StoredGrant;
  readonly before: VersionedGrant;
}

/** What renewing works with. */
export interface RenewParts {
  readonly store: GrantStore;
  readonly underLease: UnderLease;
  /** By the server's id. */
  readonly unkept: Map<string, UnkeptTokens>;
  readonly clients: Pick<ClientStore, 'forget'>;
  readonly handler: CommandHandler;
  readonly clock: Clock;
  readonly authorization: AuthorizationParts;
}

/** What to use in place of a refused token: `over`: nothing, until somebody signs in again. */
export type Renewal = { readonly kind: 'renewed' | 'replaced'; readonly grant: StoredGrant } | { readonly kind: 'over' };

/** The authorization server may be back in a moment: the account is good for all that is known. */
const passing: ReadonlySet<AuthorizationFaultCode> = new Set(['authorization_server_unreachable', 'token_lost']);

/**
 * Gets another access token in place of one that was refused. One at a time does it for each account, on every machine
 * that shares the vault; others wait and take what it got. The new tokens are in the vault before anybody uses them, and
 * that an account is over is on record before anybody is told.
 * @param stop nothing is begun after it
 * @throws AccountFault when the authorization server cannot be asked now
 */
export async function renewGrant(server: ServerInVault, refused: string, parts: RenewParts, stop: AbortSignal): Promise<Renewal> {
  const renewal = await parts.underLease(server.serverId, async () => {
    if (stop.aborted) throw new AccountFault('The program is stopping, and the sign-in was not renewed.');
    const current = await parts.store.read(server.serverId);
    return current?.grant.tokens.accessToken === refused ? renewAlone(server, current, parts) : inPlace(current);
  });
  if (renewal === null) throw new AccountFault('The sign-in is being renewed elsewhere and that takes too long. Try again in a moment.');
  return renewal.done;
}

/** What somebody else has put there. */
function inPlace(current: VersionedGrant | null): Renewal {
  return current === null ? { kind: 'over' } : { kind: 'replaced', grant: current.grant };
}

async function renewAlone(server: ServerInVault, current: VersionedGrant, parts: RenewParts): Promise<Renewal> {
  const { store, unkept } = parts;
  const { serverId } = server;
  const { grant, version } = current;
  const { refreshToken } = grant.tokens;
  const came = unkept.get(serverId);
  if (came?.before.version === version) return keep(server, came.renewed, current, parts);
  if (refreshToken === null) return over(server, grant, 'no_refresh_token', parts);
  let tokens: TokenSet;
  try {
    tokens = await asked(server, grant, refreshToken, parts);
  } catch (error) {
    if (!(error instanceof AuthorizationFault)) throw error;
    const now = await store.read(serverId);
    // Somebody signed in again, or out, in the meantime: what was refused is not what is there.
    if (now?.version !== version) return inPlace(now);
    if (passing.has(error.code)) throw new AccountFault(`The sign-in had to be renewed. ${error.message}`);
    if (error.code === 'invalid_client') await parts.clients.forget(server.workspace, grant.server.issuer, grant.client.clientId);
    return over(server, grant, error.code, parts);
  }
  return keep(server, { ...grant, tokens: { ...tokens, scopes: tokens.scopes ?? grant.tokens.scopes } }, current, parts);
}

/** Puts renewed tokens into the vault. When it does not take them they are kept in mind: there may be no second ones. */
async function keep(server: ServerInVault, renewed: StoredGrant, before: VersionedGrant, parts: RenewParts): Promise<Renewal> {
  const { store, unkept } = parts;
  const { serverId } = server;
  unkept.set(serverId, { server, renewed, before });
  const isKept = await store.swap(serverId, renewed, before.version);
  unkept.delete(serverId);
  if (isKept) return recorded(server, renewed, renewed.tokens.refreshToken !== before.grant.tokens.refreshToken, parts);
  const now = await store.read(serverId);
  // Nobody will ever use them, and nobody else knows them.
  if (now?.grant.signInId !== renewed.signInId) await giveUpTokens(parts, server, renewed, 'came_late');
  return inPlace(now);
}

async function recorded({ serverId, workspace }: ServerInVault, grant: StoredGrant, rotated: boolean, { handler }: RenewParts): Promise<Renewal> {
  const record = { type: 'RecordRefresh', serverId, signInId: grant.signInId, rotated, expiresAt: grant.tokens.expiresAt, scopes: grant.tokens.scopes } as const;
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [record], systemOrigin(workspace));
  return { kind: 'renewed', grant };
}

async function over(server: ServerInVault, { signInId }: StoredGrant, reason: string, parts: RenewParts): Promise<Renewal> {
  await lapseGrant(parts, server, { signInId, reason, scopes: [] });
  return { kind: 'over' };
}

/** An answer that was lost is asked for once more: an authorization server may take the same token again for a moment. */
async function asked(server: ServerInVault, grant: StoredGrant, refreshToken: string, { authorization, clock }: RenewParts): Promise<TokenSet> {
  const fetch = openAuthorizationFetch(server, authorization);
  const ask = (): Promise<TokenSet> => refresh(grant, refreshToken, fetch, clock);
  try {
    return await ask().catch((error: unknown) => {
      if (error instanceof AuthorizationFault && error.code === 'token_lost') return ask();
      throw error;
    });
  } finally {
    await fetch.close();
  }
}

function refresh({ server, client, resource }: StoredGrant, refreshToken: string, fetch: AuthorizationFetch, clock: Clock): Promise<TokenSet> {
  return refreshTokens({ server, client, refreshToken, resource, now: clock.now() }, fetch, new AbortController().signal);
}
