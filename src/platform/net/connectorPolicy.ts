import type { Deadlines } from './requestDeadlines.js';
import { judgeUrl, namesThisMachine, type UrlPolicy } from './urlGate.js';

/** Bounds of one request; times in milliseconds, sizes in bytes. */
export interface FetchLimits extends Deadlines {
  /** Resolving, TCP and TLS. */
  readonly connectMs: number;
  /** How long a refused request's explanation is waited for. */
  readonly errorBodyMs: number;
  /** Decoded bytes of one response, an event stream over its whole life. */
  readonly bodyBytes: number;
  /** How much of a refused request's explanation is read. */
  readonly errorBodyBytes: number;
}

/** What one use of the guarded fetch may do. */
export interface ConnectorPolicy {
  readonly reach: UrlPolicy;
  /** The only origin that is talked to; null for any that may be reached. */
  readonly only: string | null;
  /** Asked for a bearer token at every request, once it is clear where that goes. Visible ASCII; null for none. */
  readonly bearer: () => string | null;
  readonly limits: FetchLimits;
}

/** Talking to one registered server: to no other origin, so that its credential goes nowhere else. */
export function mcpPolicy(server: { readonly origin: string; readonly token: () => string | null; readonly reach: UrlPolicy; readonly limits: FetchLimits }): ConnectorPolicy {
  return { reach: server.reach, only: server.origin, bearer: server.token, limits: server.limits };
}

/** Bounds of a request to an authorization server, which answers with little and at once. */
export const authorizationLimits: FetchLimits = {
  connectMs: 5_000,
  headersMs: 10_000,
  firstByteMs: 5_000,
  totalMs: 10_000,
  errorBodyMs: 2_000,
  bodyBytes: 256 * 1024,
  errorBodyBytes: 16_384,
};

/**
 * Talking to authorization servers, whose addresses an MCP server names: any origin that is public and HTTPS, with nothing
 * of ours going along. Only a server that is itself on this machine, or listed as local, may name what is not public; else
 * a public one could send us into our own network (RFC 9728 §7.7).
 * @param server where it is registered, and what its workspace may reach
 */
export function authorizationPolicy({ url, reach }: { readonly url: string; readonly reach: UrlPolicy }): ConnectorPolicy {
  const registered = judgeUrl(url, reach);
  const onThisMachine = registered.ok && reach.allowLoopback && namesThisMachine(registered.url);
  const isListed = registered.ok && reach.localOrigins.has(registered.url.origin);
  return {
    reach: {
      httpsOnly: onThisMachine ? 'elsewhere' : true,
      allowLoopback: onThisMachine,
      localOrigins: onThisMachine || isListed ? reach.localOrigins : new Set(),
      ownPorts: reach.ownPorts,
    },
    only: null,
    bearer: () => null,
    limits: authorizationLimits,
  };
}
