import { netFaultIn } from '../../../platform/net/netFault.js';
import { RedirectFault } from '../../../platform/net/redirectFault.js';
import { scrubText } from '../../../platform/scrub/scrubText.js';

/**
 * What to register instead, when the server redirects within its own origin. For whoever just gave the URL: its path may
 * be nobody else's business.
 * @param url the URL that was given
 * @param token never part of what is said
 * @returns null when it is no such redirect, or when its path looks like a secret
 */
export function redirectHint(error: unknown, url: string, token: string | null): string | null {
  const fault = netFaultIn(error);
  if (!(fault instanceof RedirectFault) || fault.path === null) return null;
  if (scrubText(fault.path).text !== fault.path || (token !== null && fault.path.includes(token))) return null;
  return `It names ${new URL(url).origin}${fault.path} (query left out).`;
}
