import type { RequestWatch } from '../../../../platform/net/guardedFetch.js';
import type { Exchange } from '../exchange.js';
import { HttpFault, rpcErrorIn } from '../../failures/httpFault.js';
import { bearerChallenge, type BearerChallenge } from '../../authorization/discovery/challenge.js';
import { retryAfterMs } from '../../failures/retryAfter.js';

export const json = 'application/json';
export const eventStream = 'text/event-stream';

/** The media type of a response, in lower case and without parameters; blank when there is none. */
export function kindOf(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The JSON-RPC request in a body the SDK wrote; null for notifications and responses. */
export function carriedRequest(body: RequestInit['body']): { readonly id: unknown; readonly method: unknown } | null {
  if (typeof body !== 'string') return null;
  const message = JSON.parse(body) as { readonly id?: unknown; readonly method?: unknown };
  return message.method === undefined || message.id === undefined ? null : { id: message.id, method: message.method };
}

/** Watches the HTTP request that carries an exchange. */
export function watchOf(exchange: Exchange): RequestWatch {
  return {
    signal: exchange.network.signal,
    onSent: () => {
      exchange.sent = true;
    },
  };
}

/** Nobody waits for what carries no request, so it ends by itself. */
export function unwatched(ms: number): RequestWatch {
  return { signal: AbortSignal.timeout(ms) };
}

/**
 * Reads what a refused HTTP request was told.
 * @param opening whether it was the request that begins a connection
 * @param now milliseconds since the Unix epoch
 */
export async function httpFault(response: Response, init: RequestInit, opening: boolean, now: number): Promise<HttpFault> {
  return new HttpFault({
    status: response.status,
    rpc: rpcErrorIn(await response.text()),
    inSession: new Headers(init.headers).has('mcp-session-id'),
    opening,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now),
    scopesMissing: scopesMissing(bearerChallenge(response.headers.get('www-authenticate'))),
  });
}

/** RFC 6750 §3.1. */
function scopesMissing(challenge: BearerChallenge | null): readonly string[] | null {
  return challenge?.error === 'insufficient_scope' ? challenge.scopes : null;
}
