import { openAuthorizationFetch, type AuthorizationParts } from '../authorization/authorizationFetch.js';
import { revokeTokens } from '../authorization/tokens/tokens.js';
import type { ServerInVault } from './serverInVault.js';
import type { StoredGrant } from './storedGrant.js';

/** What became of telling an authorization server that tokens are not used any more (RFC 7009). */
export type Revocation = Awaited<ReturnType<typeof revokeTokens>>;

/** Tells the authorization server of a grant that its tokens are not used any more. Never throws for what that server does. */
export async function revokeGrant(
  server: ServerInVault,
  { server: authorizationServer, client, tokens }: Pick<StoredGrant, 'server' | 'client' | 'tokens'>,
  authorization: AuthorizationParts,
  signal: AbortSignal = new AbortController().signal,
): Promise<Revocation> {
  const fetch = openAuthorizationFetch(server, authorization);
  try {
    return await revokeTokens({ server: authorizationServer, client, tokens }, fetch, signal);
  } finally {
    await fetch.close();
  }
}
