import { authorizationLimits, authorizationPolicy, type FetchLimits } from '../../../platform/net/connectorPolicy.js';
import { makeGuardedFetch, type GuardedFetch } from '../../../platform/net/guardedFetch.js';
import type { Resolve } from '../../../platform/net/guardedLookup.js';
import { requireReachable } from '../../../platform/net/requireReachable.js';
import { reachOf, type LocalReach } from '../serverUrl.js';

/** A registered MCP server, for which its workspace signs in. */
export interface SignInTarget {
  readonly url: string;
  readonly workspace: string;
}

export interface AuthorizationParts {
  readonly localReach: LocalReach;
  readonly resolve: Resolve;
  /** Our own version, told to every server. */
  readonly version: string;
  /** Bounds of one request. */
  readonly limits?: FetchLimits;
  /** Longest time for finding out how to sign in, in milliseconds, however many documents are asked for. */
  readonly discoveryMs?: number;
}

/** The way to authorization servers: the guarded fetch under the authorization policy. */
export interface AuthorizationFetch extends Pick<GuardedFetch, 'fetch'> {
  /**
   * Makes sure that a URL may be reached, and sends nothing.
   * @throws NetFault
   */
  check(url: string): Promise<void>;
}

/**
 * Opens the way to the authorization servers of one MCP server. Plain http, and what is not public, is let through only
 * when that server itself is on this machine or listed as local; see `authorizationPolicy`.
 */
export function openAuthorizationFetch(server: SignInTarget, parts: AuthorizationParts): AuthorizationFetch & Pick<GuardedFetch, 'close'> {
  const { localReach, resolve, version, limits = authorizationLimits } = parts;
  const policy = { ...authorizationPolicy({ url: server.url, reach: reachOf(server.workspace, localReach) }), limits };
  const guarded = makeGuardedFetch({ policy, resolve, userAgent: `toolledger/${version}` });
  return { ...guarded, check: (url) => requireReachable(url, policy.reach, resolve) };
}
