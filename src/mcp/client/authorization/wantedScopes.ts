import { offlineAccess } from '../../../commands/mcpSignIn/mcpSignInState.js';
import type { Discovery } from './discovery/discover.js';
import { usableScopes } from './scopeTokens.js';

/** Longest list of scopes in a URL, in characters as they stand there: proxies refuse requests of more than 4 to 8 KB. */
const mostCharacters = 2_000;

/**
 * The scopes to ask for (MCP 2025-11-25, "Scope Selection Strategy" and "Step-Up Authorization Flow"): what the server's
 * challenge names, what was asked for earlier, so that stepping up loses nothing, and where nothing is challenged what its
 * resource offers. In that order as many as 2,000 characters of a URL hold; whoever wants more of a server than that is
 * asked for it when it is missing.
 * @param earlier what was asked for or challenged before, what was missing first
 * @returns null when the parameter is to be left out, so that the authorization server decides
 */
export function wantedScopes({ scopes, server }: Pick<Discovery, 'scopes' | 'server'>, earlier: readonly string[]): readonly string[] | null {
  const { challenged, offered } = scopes;
  const named = challenged.length > 0 ? [] : (offered ?? []);
  const wanted = fitting(usableScopes([...challenged, ...earlier, ...named]));
  if (wanted.length === 0) return null;
  return server.scopes?.includes(offlineAccess) === true ? [...new Set([...wanted, offlineAccess])] : wanted;
}

/** One that does not fit keeps no shorter one out. What divides them counts too. */
function fitting(scopes: readonly string[]): readonly string[] {
  let left = mostCharacters;
  return scopes.filter((scope) => {
    const characters = new URLSearchParams({ '': scope }).toString().length;
    if (characters > left) return false;
    left -= characters;
    return true;
  });
}
