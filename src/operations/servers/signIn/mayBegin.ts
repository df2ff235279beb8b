import { isSame, type PendingSignIn } from './pendingSignIn.js';

/** A link is for one browser; that one may go back and choose again until it brings an answer. */
export function mayBegin({ phase }: PendingSignIn, cookie: string | null): boolean {
  return phase.kind === 'offered' || (phase.kind === 'redirected' && isSame(cookie, phase.cookie));
}
