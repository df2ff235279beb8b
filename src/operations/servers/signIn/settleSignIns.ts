import type { StoredGrant } from '../../../mcp/client/grants/storedGrant.js';
import { Fault } from '../../../platform/fault.js';
import type { OwnerServices } from '../../services.js';
import { completeSignIn } from './completeSignIn.js';
import { failSignIn } from './endSignIn.js';
import type { PendingSignIn, SignInAudience } from './pendingSignIn.js';
import { signInTexts } from './recognise.js';

/** Ends the sign-ins whose time is over. @returns how many are still under way */
export async function expireSignIns(services: OwnerServices): Promise<number> {
  const all = await services.signIns.pending.all();
  const over = all.filter(({ expiresAt, phase }) => phase.kind !== 'answered' && expiresAt <= services.clock.now());
  for (const pending of over) await failSignIn(services, pending, 'expired', signInTexts.sign_in_expired);
  return all.length - over.length;
}

/**
 * Finishes, at a start, what a process that is gone was about to do: an answer that was taken has either brought tokens
 * into the vault, or is lost; and accounts of people who were erased are not used any more.
 */
export async function settleSignIns(services: OwnerServices): Promise<void> {
  await services.signIns.grants.suspendErased();
  for (const pending of await services.signIns.pending.all()) {
    if (pending.phase.kind !== 'answered') continue;
    const stored = await services.signIns.stored.read(pending.serverId);
    if (stored?.grant.signInId === pending.signInId) await completeNow(services, pending, stored.grant, pending.phase.audience);
    else await failSignIn(services, pending, 'interrupted', 'The program stopped while the answer was exchanged. Begin again.');
  }
}

/** A sign-in that cannot be completed, because its server is gone, keeps nobody from starting. */
async function completeNow(services: OwnerServices, pending: PendingSignIn, grant: StoredGrant, audience: SignInAudience): Promise<void> {
  try {
    await completeSignIn(services, pending, grant, audience, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await failSignIn(services, pending, error.code, error.message);
  }
}
