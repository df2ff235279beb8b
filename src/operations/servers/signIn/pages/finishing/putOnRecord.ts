import { mcpSignInDecider, mcpSignInStream } from '../../../../../commands/mcpSignIn/mcpSignIn.js';
import { Fault } from '../../../../../platform/fault.js';
import type { OwnerServices } from '../../../../services.js';
import { commandIn, iso } from '../../../../words.js';
import { completeSignIn, type ExchangedSignIn } from '../../ending/completeSignIn.js';
import { lookedAtFrom } from '../../ending/settleSignIns.js';
import { knownFault } from './knownFault.js';
import { tellFailed } from './tellFailed.js';

/**
 * Completes a sign-in that has its tokens. Where that fails, what is so is told: an account that is in use is, and one whose
 * tokens still lie with the sign-in is completed by itself.
 * @throws Fault `sign_in_unrecorded` when it is completed later, which who began is told; what `tellFailed` gives when it is over
 */
export async function putOnRecord(services: OwnerServices, exchanged: ExchangedSignIn): Promise<void> {
  try {
    await completeSignIn(services, exchanged);
  } catch (error) {
    const left = await whatIsLeft(services, exchanged);
    // Only clearing away did not work; that is done again at the next look.
    if (left === 'account') return;
    if (left === 'nothing') throw tellFailed(services, exchanged.pending, error);
    throw unrecorded(services, exchanged.pending, error);
  }
}

/** Where that cannot be read either, the next start sees it. */
async function whatIsLeft({ handler, signIns }: OwnerServices, { pending: { signInId, serverId } }: ExchangedSignIn): Promise<'account' | 'sign_in' | 'nothing'> {
  try {
    const { state } = await handler.load(mcpSignInDecider, mcpSignInStream(serverId));
    if (state.grant?.signInId === signInId && (await signIns.stored.read(serverId))?.grant.signInId === signInId) return 'account';
    const found = await signIns.pending.read(signInId);
    return found !== null && 'pending' in found && found.pending.phase.kind === 'exchanged' ? 'sign_in' : 'nothing';
  } catch {
    return 'sign_in';
  }
}

function unrecorded({ signIns }: OwnerServices, pending: ExchangedSignIn['pending'], error: unknown): Fault {
  const { code, message: why } = knownFault(error, pending);
  const from = `${iso(lookedAtFrom(pending)).slice(11, 16)} UTC`;
  const message = `You signed in to ${pending.serverName}, and that could not be put on record yet: ${why} It is completed by itself, by a running \`toolledger serve\` soon after ${from} or when toolledger starts the next time; \`${commandIn(pending.origin.workspace, 'mcp list')}\` shows it then.`;
  signIns.outcomes.tell(pending.signInId, { status: 'pending', reason: code, missing: [], message, found: null });
  return new Fault('failed', 'sign_in_unrecorded', message, { server: pending.serverName, workspace: pending.origin.workspace }, { cause: error });
}
