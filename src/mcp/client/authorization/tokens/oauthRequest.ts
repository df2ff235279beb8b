import { allowInsecureRequests, ClientSecretPost, customFetch, None, type ClientAuth } from 'oauth4webapi';
import type { AuthorizationFetch } from '../authorizationFetch.js';
import type { OAuthClient } from '../client/oauthClient.js';

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

/** How a client proves itself (RFC 6749 §2.3.1). */
export function clientAuthentication({ authMethod, clientSecret }: Pick<OAuthClient, 'authMethod' | 'clientSecret'>): ClientAuth {
  if (clientSecret === null || authMethod === 'none') return None();
  return authMethod === 'client_secret_basic' ? basic(clientSecret) : ClientSecretPost(clientSecret);
}

/**
 * Both halves of `Basic` are encoded as in a form (RFC 6749, appendix B), and no more than that: the library also encodes
 * hyphens and dots, of which ids are full, and some servers do not decode.
 */
function basic(clientSecret: string): ClientAuth {
  const encoded = (half: string): string => new URLSearchParams([['', half]]).toString().slice(1);
  return (_server, client, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(`${encoded(client.client_id)}:${encoded(clientSecret)}`).toString('base64')}`);
  };
}
