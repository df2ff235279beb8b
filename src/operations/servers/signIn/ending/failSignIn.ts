import { mcpSignInDecider, mcpSignInStream } from '../../../../commands/mcpSignIn/mcpSignIn.js';
import type { OwnerServices } from '../../../services.js';
import { broughtTo } from '../pending/pendingSignIn.js';
import type { VersionedSignIn } from '../pending/signInStore.js';

type Parts = Pick<OwnerServices, 'handler' | 'signIns'>;

/**
 * Records that a sign-in ended without an account, forgets what is secret of it, and tells who began it. It is taken first,
 * so that nobody ends what another one is going on with; a start finishes what a crash leaves of it.
 * @returns false when somebody else has taken it since it was read: then nothing was done
 */
export async function failSignIn({ handler, signIns }: Parts, { pending, version }: VersionedSignIn, reason: string, message: string): Promise<boolean> {
  const { signInId, serverId, origin } = pending;
  const failing = { ...pending, phase: { kind: 'failing', reason, brought: broughtTo(pending.phase) } } as const;
  const taken = await signIns.pending.swap(failing, version);
  if (taken === null) return false;
  try {
    await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'Fail', serverId, signInId, reason }], origin);
    await signIns.pending.end(failing, taken);
  } finally {
    signIns.outcomes.tell(signInId, { status: 'failed', reason, missing: [], message, found: null });
  }
  return true;
}
