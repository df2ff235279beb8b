import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { OwnerServices } from '../../services.js';
import type { PendingSignIn } from './pendingSignIn.js';

type Parts = Pick<OwnerServices, 'handler' | 'signIns'>;

/** Records that a sign-in ended without an account, forgets what is secret of it, and tells who began it. */
export async function failSignIn({ handler, signIns }: Parts, { signInId, serverId, origin }: PendingSignIn, reason: string, message: string): Promise<void> {
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'Fail', serverId, signInId, reason }], origin);
  await signIns.pending.delete(signInId);
  signIns.outcomes.tell(signInId, { status: 'failed', reason, message, tools: null });
}

/** Records that something was no part of a sign-in, or not from who began it. The sign-in goes on. */
export async function turnAway({ handler }: Pick<Parts, 'handler'>, { signInId, serverId, origin }: PendingSignIn, reason: string): Promise<void> {
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'TurnAway', serverId, signInId, reason }], origin);
}
