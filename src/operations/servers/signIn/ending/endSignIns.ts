import type { OwnerServices } from '../../../services.js';
import { failSignIn } from './failSignIn.js';
import { waitsForBrowser, type PendingSignIn } from '../pending/pendingSignIn.js';

/** Ends the sign-ins of which nothing can come any more. One whose answer was taken ends by itself. */
export async function endSignIns(services: Pick<OwnerServices, 'handler' | 'signIns'>, which: (pending: PendingSignIn) => boolean, reason: string, message: string): Promise<void> {
  for (const signIn of await services.signIns.pending.all()) {
    if (waitsForBrowser(signIn.pending) && which(signIn.pending)) await failSignIn(services, signIn, reason, message);
  }
}
