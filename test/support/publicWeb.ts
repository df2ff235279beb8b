import { openAuthorizationFetch, type AuthorizationFetch } from '../../src/mcp/client/authorization/authorizationFetch.js';
import type { Resolve } from '../../src/platform/net/guardedLookup.js';
import { plainParts } from './authorizationParts.js';

/** A public address. */
const somewhere = '93.184.216.34';

/** What names lead to, where it is not `somewhere`. */
export type Names = { readonly [host: string]: readonly string[] };

export interface PublicWeb extends AuthorizationFetch {
  /** What would have been dialled. */
  readonly dialled: readonly string[];
}

/**
 * The way to authorization servers of a server on the public internet, which cannot be reached here: URLs and what names lead to are
 * judged as ever, and answers come from memory.
 */
export function publicWeb(serverUrl: string, names: Names, documents: { readonly [url: string]: object }): PublicWeb {
  const resolve: Resolve = async (host) => (names[host] ?? [somewhere]).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const real = openAuthorizationFetch({ url: serverUrl, workspace: 'local' }, { ...plainParts, resolve });
  const dialled: string[] = [];
  return {
    dialled,
    check: (url) => real.check(url),
    async fetch(url) {
      await real.check(String(url));
      dialled.push(String(url));
      const document = documents[String(url)];
      return document === undefined ? new Response(null, { status: 404 }) : Response.json(document);
    },
  };
}
