import type { OwnerServices } from '../../../services.js';
import { waitsForBrowser, type PendingSignIn } from '../pending/pendingSignIn.js';
import { expireSignIns } from './settleSignIns.js';
import type { SignInOutcome } from '../signInOutcomes.js';

/**
 * Ends a sign-in when its time is over, also where nothing else looks.
 * @returns stops it
 */
export function expireInTime(services: Pick<OwnerServices, 'handler' | 'signIns' | 'clock' | 'schedule' | 'remote' | 'vault' | 'secrets'>, { signInId, expiresAt }: Pick<PendingSignIn, 'signInId' | 'expiresAt'>): () => void {
  const { clock, signIns, schedule } = services;
  let cancel = (): void => undefined;
  const plan = (): void => {
    cancel = schedule(Math.max(1, expiresAt - clock.now()), () => void look());
  };
  const look = async (): Promise<void> => {
    // Timers and clocks do not agree to the millisecond.
    if (clock.now() < expiresAt) plan();
    else await expireSignIns(services).catch(tellUnlessAnswered);
  };
  // One whose answer was taken is told of by whoever goes on with it.
  const tellUnlessAnswered = async (): Promise<void> => {
    const found = await signIns.pending.read(signInId).catch(() => null);
    if (found === null || !('pending' in found) || found.pending.phase.kind === 'failing' || waitsForBrowser(found.pending)) signIns.outcomes.tell(signInId, unrecorded);
  };
  plan();
  return () => cancel();
}

const unrecorded: SignInOutcome = { status: 'failed', reason: 'expired', missing: [], message: 'The sign-in has ended: it lasts 10 minutes. That could not be put on record now; the next start does it.', found: null };
