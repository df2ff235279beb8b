import { isIP } from 'node:net';
import { judgeAddress } from './addressGate.js';
import type { Resolve } from './guardedLookup.js';
import { judgeUrl, type UrlPolicy, type UrlRefusal } from './urlGate.js';

/** Whether somebody else may be asked to fetch a URL, or why not. */
export type FetchVerdict = { readonly ok: true } | { readonly ok: false; readonly code: UrlRefusal | 'url_unresolved'; readonly message: string };

/** Longest URL that is asked to be fetched, in UTF-16 code units. */
const maxLength = 4_096;

/** Whatever is fetched for a caller is public; nothing of this machine or its network is. */
const publicOnly: UrlPolicy = { allowLoopback: false, httpsOnly: false };

/**
 * Judges a URL that a server is asked to fetch: its form, and every address its name has now. A fetcher may resolve the
 * name again, so this keeps accidents and simple attacks out, not a name that changes its mind in between.
 */
export async function judgeFetch(text: string, resolve: Resolve): Promise<FetchVerdict> {
  const verdict = judgeUrl(text, publicOnly, maxLength);
  if (!verdict.ok) return verdict;
  const host = verdict.url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return { ok: true };
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) return { ok: false, code: 'url_unresolved', message: `The name ${host} could not be resolved, so what it leads to could not be checked.` };
  for (const { address } of addresses) {
    const judged = judgeAddress(address, publicOnly);
    if (!judged.allowed) return { ok: false, code: 'url_address_refused', message: `The name ${host} leads to an address that is refused (${judged.reason}). Only public addresses are allowed.` };
  }
  return { ok: true };
}
