import { systemOrigin } from '../../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../../commands/mcpSignIn/mcpSignIn.js';
import type { OwnerServices } from '../../../services.js';
import { completeSignIn } from './completeSignIn.js';
import { failSignIn } from './failSignIn.js';
import { commandsFor } from '../commandsFor.js';
import { withoutAccount } from '../signingOut/withoutAccount.js';
import { isOver, waitsForBrowser, type PendingSignIn } from '../pending/pendingSignIn.js';
import type { VersionedSignIn } from '../pending/signInStore.js';
import { signInText } from '../signInTexts.js';

type SettlingParts = Pick<OwnerServices, 'handler' | 'signIns' | 'clock' | 'remote' | 'vault' | 'secrets'>;

/** Longer than an exchange takes, in milliseconds: an answer that was taken before is not being exchanged any more. */
const exchangeMs = 60_000;

/** From when on a sign-in whose answer was taken is finished by whoever looks, in milliseconds since the epoch. */
export function lookedAtFrom({ expiresAt }: Pick<PendingSignIn, 'expiresAt'>): number {
  return expiresAt + exchangeMs;
}

/**
 * Ends the sign-ins whose time is over, and forgets what was left of those that ended before. One whose answer was taken is
 * finished as at a start: what was to be recorded of it could not be, as on a full disk.
 * @throws what kept one of them from being ended
 */
export async function expireSignIns(services: SettlingParts): Promise<void> {
  const now = services.clock.now();
  const all = await services.signIns.pending.all();
  const looks = await Promise.allSettled(all.map((signIn) => endIfOver(services, signIn, now)));
  await services.signIns.pending.forgetEnded(now);
  // One that cannot be ended keeps none of the others.
  for (const look of looks) if (look.status === 'rejected') throw look.reason;
}

async function endIfOver(services: SettlingParts, signIn: VersionedSignIn, now: number): Promise<void> {
  if (!waitsForBrowser(signIn.pending)) {
    if (lookedAtFrom(signIn.pending) <= now) await settle(services, signIn);
  } else if (isOver(signIn.pending, now)) await failSignIn(services, signIn, 'expired', signInText('sign_in_expired', signIn.pending));
}

/**
 * Finishes, at a start, what a process that is gone was about to do: an answer that was taken has either brought tokens
 * into the vault, or is lost; what was due while nobody ran has ended; and accounts of people who were erased are not used any more.
 * @param warn told of each that could not be finished; the start goes on
 */
export async function settleSignIns(services: SettlingParts, warn: (error: unknown) => void): Promise<void> {
  for (const signIn of await services.signIns.pending.all()) await settle(services, signIn).catch(warn);
  await expireSignIns(services).catch(warn);
  await services.signIns.grants.suspendErased().catch(warn);
  // A sign-out that was cut short; what it left in the vault is revoked beside `serve`.
  for (const { workspace, serverId } of await services.signIns.grants.unrecorded()) await finishSignOut(services, workspace, serverId).catch(warn);
}

async function finishSignOut(services: SettlingParts, workspace: string, serverId: string): Promise<void> {
  const { grant } = (await services.handler.load(mcpSignInDecider, mcpSignInStream(serverId))).state;
  if (grant === null) await withoutAccount(services, serverId, systemOrigin(workspace));
}

async function settle(services: SettlingParts, { pending, version }: VersionedSignIn): Promise<void> {
  const { phase } = pending;
  if (phase.kind === 'exchanged') await completeSignIn(services, { pending: { ...pending, phase }, version });
  if (phase.kind === 'answered') await failSignIn(services, { pending, version }, 'interrupted', commandsFor(pending, 'The program stopped while the answer was exchanged. Begin again with `toolledger mcp sign-in`.'));
  if (phase.kind === 'failing') await failSignIn(services, { pending, version }, phase.reason, '');
}
