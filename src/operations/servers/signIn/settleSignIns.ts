import type { OwnerServices } from '../../services.js';
import { completeSignIn } from './completeSignIn.js';
import { failSignIn } from './endSignIn.js';
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
    if (stored?.grant.signInId === pending.signInId) await completeSignIn(services, pending, stored.grant, pending.phase.audience, new AbortController().signal);
    else await failSignIn(services, pending, 'interrupted', 'The program stopped while the answer was exchanged. Begin again.');
  }
}
