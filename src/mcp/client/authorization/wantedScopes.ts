import type { Discovery } from './discovery/discover.js';
import { usableScopes } from './scopeTokens.js';

/** OpenID Connect Core §11: what brings a refresh token. */
export const offlineAccess = 'offline_access';

/**
 * The scopes to ask for (MCP 2025-11-25, "Scope Selection Strategy" and "Step-Up Authorization Flow"): what the server's
 * challenge names, else what its resource offers, and in any case what was asked for earlier, so that stepping up loses nothing.
 * @param earlier what was asked for or challenged before
 * @returns null when the parameter is to be left out, so that the authorization server decides
 */
export function wantedScopes({ scopes, server }: Pick<Discovery, 'scopes' | 'server'>, earlier: readonly string[]): readonly string[] | null {
  const named = scopes.challenged.length > 0 ? scopes.challenged : (scopes.offered ?? []);
  const wanted = usableScopes([...earlier, ...named]);
  if (wanted.length === 0) return null;
  return server.scopes?.includes(offlineAccess) === true ? usableScopes([...wanted, offlineAccess]) : wanted;
}
