import { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, customFetch, None, type ClientAuth } from 'oauth4webapi';
import type { AuthorizationFetch } from './authorizationFetch.js';
import type { OAuthClient } from './oauthClient.js';

/** Options of a request of `oauth4webapi` that goes out through the guarded fetch. */
interface RequestOptions {
  readonly signal: AbortSignal;
  readonly [customFetch]: (url: string, init: RequestInit) => Promise<Response>;
  readonly [allowInsecureRequests]: boolean;
}

/**
 * Sends a request of `oauth4webapi` through the guarded fetch.
 * @param onSent called when it begins to leave
 */
export function through({ fetch }: Pick<AuthorizationFetch, 'fetch'>, signal: AbortSignal, onSent: () => void = () => undefined): RequestOptions {
  return {
    signal,
    [customFetch]: (url, init) => fetch(url, init, { signal, onSent }),
    // Which plain http may be spoken is up to the guarded fetch, which knows where the MCP server is.
    [allowInsecureRequests]: true,
  };
}

/** How a client proves itself (RFC 6749 §2.3.1, with its own percent-encoding of both halves of `Basic`). */
export function clientAuthentication({ authMethod, clientSecret }: Pick<OAuthClient, 'authMethod' | 'clientSecret'>): ClientAuth {
  if (clientSecret === null || authMethod === 'none') return None();
  return authMethod === 'client_secret_basic' ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret);
}
