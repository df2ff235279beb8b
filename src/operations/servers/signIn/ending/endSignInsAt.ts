import type { OwnerServices } from '../../../services.js';
import { failSignIn } from './endSignIn.js';
import { waitsForBrowser } from '../pendingSignIn.js';

/** Ends the sign-ins at a server that is there no more. One whose answer was taken ends by itself. */
export async function endSignInsAt(services: Pick<OwnerServices, 'handler' | 'signIns'>, serverId: string, reason: string, message: string): Promise<void> {
  for (const signIn of await services.signIns.pending.all()) {
    if (waitsForBrowser(signIn.pending) && signIn.pending.serverId === serverId) await failSignIn(services, signIn, reason, message);
  }
}
