import type { PendingSignIn } from './pendingSignIn.js';
import { isSame } from './signInSecrets.js';

/**
 * A link is for one browser; that one may go back and choose again until it brings an answer. It is known by its cookie,
 * or by the page whose button it pressed twice: the answer that had the cookie may never have reached it.
 * @param page names the rendering of our page that the form was sent from; null when there was none
 */
export function mayBegin({ phase }: PendingSignIn, cookie: string | null, page: string | null): boolean {
  return phase.kind === 'offered' || (phase.kind === 'redirected' && (isSame(cookie, phase.cookie) || isSame(page, phase.page)));
}
