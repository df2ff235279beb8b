import type { Deadlines } from './requestDeadlines.js';
import type { UrlPolicy } from './urlGate.js';

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

const authorizationLimits: FetchLimits = {
  connectMs: 5_000,
  headersMs: 10_000,
  firstByteMs: 5_000,
  totalMs: 10_000,
  errorBodyMs: 2_000,
  bodyBytes: 256 * 1024,
  errorBodyBytes: 16_384,
};

/**
 * Talking to authorization servers, whose addresses a server names: any origin that is public and HTTPS, or listed as
 * local, and nothing of ours goes along.
 */
export function authorizationPolicy(reach: Pick<UrlPolicy, 'localOrigins' | 'ownPorts'>): ConnectorPolicy {
  return { reach: { ...reach, httpsOnly: true, allowLoopback: false }, only: null, bearer: () => null, limits: authorizationLimits };
}
