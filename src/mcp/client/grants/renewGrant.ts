import { systemOrigin, type CommandHandler } from '../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { Clock } from '../../../platform/clock.js';
import type { NewId } from '../../../platform/ids.js';
import type { Secrets } from '../../../platform/vault/secrets.js';
import { AuthorizationFault, type AuthorizationFaultCode } from '../authorization/authorizationFault.js';
import { openAuthorizationFetch, type AuthorizationFetch, type AuthorizationParts } from '../authorization/authorizationFetch.js';
import type { TokenSet } from '../authorization/tokenAnswer.js';
import { refreshTokens } from '../authorization/tokens.js';
import { AccountFault } from '../connecting/account.js';
import type { ClientStore } from './clientStore.js';
import type { ServerInVault } from './grants.js';
import { lapseGrant } from './lapseGrant.js';
import type { GrantStore, VersionedGrant } from './storedGrant.js';

/** What renewing works with. */
export interface RenewParts {
  readonly store: GrantStore;
  readonly clients: Pick<ClientStore, 'forget'>;
  readonly secrets: Pick<Secrets, 'takeLease' | 'releaseLease'>;
  readonly handler: CommandHandler;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly wait: (ms: number) => Promise<void>;
  readonly authorization: AuthorizationParts;
}

/** Longer than both tries to renew can take; whoever holds a lease that is over has died. */
const leaseMs = 45_000;
const lookAgainMs = 200;

/** The authorization server may be back in a moment: the account is good for all that is known. */
const passing: ReadonlySet<AuthorizationFaultCode> = new Set(['authorization_server_unreachable', 'token_lost', 'response_too_large']);

/**
 * Gets another access token in place of one that was refused. One at a time does it for each account, on every machine
 * that shares the vault; others wait and take what it got. The new tokens are in the vault before anybody uses them.
 * @returns the token to use now; null when the account cannot be used until somebody signs in again, which is on record
 * @throws AccountFault when the authorization server cannot be asked now
 */
export async function renewGrant(server: ServerInVault, refused: string, parts: RenewParts): Promise<string | null> {
  const { store, secrets, clock } = parts;
  const lease = `grant ${server.serverId}`;
  const holder = parts.newId();
  const patience = clock.now() + leaseMs;
  for (;;) {
    const before = await store.read(server.serverId);
    if (before === null) return null;
    if (before.grant.tokens.accessToken !== refused) return before.grant.tokens.accessToken;
    if (await secrets.takeLease(lease, holder, leaseMs)) break;
    if (clock.now() >= patience) throw new AccountFault('The sign-in is being renewed elsewhere and that takes too long. Try again in a moment.');
    await parts.wait(lookAgainMs);
  }
  try {
    const current = await store.read(server.serverId);
    if (current === null) return null;
    if (current.grant.tokens.accessToken !== refused) return current.grant.tokens.accessToken;
    return await renewAlone(server, current, parts);
  } finally {
    await secrets.releaseLease(lease, holder);
  }
}

async function renewAlone(server: ServerInVault, current: VersionedGrant, parts: RenewParts): Promise<string | null> {
  const { store, handler } = parts;
  const { serverId, workspace } = server;
  const { grant, version } = current;
  const { refreshToken } = grant.tokens;
  if (refreshToken === null) return lapsed(server, 'no_refresh_token', parts);
  let tokens: TokenSet;
  try {
    tokens = await asked(server, current, refreshToken, parts);
  } catch (error) {
    if (!(error instanceof AuthorizationFault)) throw error;
    if (passing.has(error.code)) throw new AccountFault(`The sign-in had to be renewed. ${error.message}`);
    const now = await store.read(serverId);
    // Somebody signed in again, or out, in the meantime: what was refused is not what is there.
    if (now?.version !== version) return now?.grant.tokens.accessToken ?? null;
    if (error.code === 'invalid_client') await parts.clients.forget(workspace, grant.server.issuer);
    return lapsed(server, error.code, parts);
  }
  const renewed = { ...grant, tokens: { ...tokens, scopes: tokens.scopes ?? grant.tokens.scopes } };
  if (!(await store.swap(serverId, renewed, version))) return (await store.read(serverId))?.grant.tokens.accessToken ?? null;
  const record = { type: 'RecordRefresh', serverId, rotated: tokens.refreshToken !== refreshToken, expiresAt: tokens.expiresAt } as const;
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [record], systemOrigin(workspace));
  return tokens.accessToken;
}

/** An answer that was lost is asked for once more: an authorization server may take the same token again for a moment. */
async function asked(server: ServerInVault, { grant }: VersionedGrant, refreshToken: string, { authorization, clock }: RenewParts): Promise<TokenSet> {
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

function refresh({ server, client, resource }: VersionedGrant['grant'], refreshToken: string, fetch: AuthorizationFetch, clock: Clock): Promise<TokenSet> {
  return refreshTokens({ server, client, refreshToken, resource, now: clock.now() }, fetch, new AbortController().signal);
}

async function lapsed(server: ServerInVault, reason: string, parts: RenewParts): Promise<null> {
  await lapseGrant(parts, server, reason, []);
  return null;
}
