import type { OwnerServices } from '../../../services.js';
import { completeSignIn } from './completeSignIn.js';
import { failSignIn } from './endSignIn.js';
import { isOver, waitsForBrowser, type VersionedSignIn } from '../pendingSignIn.js';
import { signInTexts } from '../pages/recognise.js';

/** Ends the sign-ins whose time is over, and forgets what was left of those that ended before. */
export async function expireSignIns(services: Pick<OwnerServices, 'handler' | 'signIns' | 'clock'>): Promise<void> {
  const now = services.clock.now();
  for (const signIn of await services.signIns.pending.all()) {
    if (waitsForBrowser(signIn.pending) && isOver(signIn.pending, now)) await failSignIn(services, signIn, 'expired', signInTexts.sign_in_expired);
    else if (signIn.pending.phase.kind === 'failing' && isOver(signIn.pending, now)) await failSignIn(services, signIn, signIn.pending.phase.reason, '');
  }
  await services.signIns.pending.forgetEnded(now);
}

/**
 * Finishes, at a start, what a process that is gone was about to do: an answer that was taken has either brought tokens
 * into the vault, or is lost; what was due while nobody ran has ended; and accounts of people who were erased are not used any more.
 * @param warn told of each that could not be finished; the start goes on
 */
export async function settleSignIns(services: OwnerServices, warn: (error: unknown) => void): Promise<void> {
  for (const signIn of await services.signIns.pending.all()) await settle(services, signIn).catch(warn);
  await expireSignIns(services).catch(warn);
  await services.signIns.grants.suspendErased();
  await services.signIns.grants.endUnrecorded();
}

async function settle(services: OwnerServices, { pending, version }: VersionedSignIn): Promise<void> {
  const { phase } = pending;
  if (phase.kind === 'exchanged') await completeSignIn(services, { pending: { ...pending, phase }, version });
  if (phase.kind === 'answered') await failSignIn(services, { pending, version }, 'interrupted', 'The program stopped while the answer was exchanged. Begin again.');
  if (phase.kind === 'failing') await failSignIn(services, { pending, version }, phase.reason, '');
}
