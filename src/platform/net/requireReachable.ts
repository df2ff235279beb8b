import { isIP } from 'node:net';
import { dialable, judgeResolved } from './guardedFetch.js';
import { judgedAddresses, type Resolve } from './guardedLookup.js';
import type { UrlPolicy } from './urlGate.js';

/**
 * Makes sure that a URL may be reached, with every address its name has now, and sends nothing. Whoever dials it later is
 * judged again: a name may change its mind.
 * @throws NetFault `invalid_url`, `blocked_address` or `dns_failed`
 */
export async function requireReachable(text: string, reach: UrlPolicy, resolve: Resolve): Promise<void> {
  const { hostname, origin } = dialable(text, reach);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) await judgedAddresses(host, resolve, (address) => judgeResolved(origin, address, reach));
}
