import { Fault } from '../../../../../platform/fault.js';
import type { OwnerServices } from '../../../../services.js';
import type { PendingSignIn } from '../../pending/pendingSignIn.js';
import { knownFault } from './knownFault.js';

/**
 * Tells who began, unless they know already, that a sign-in came to nothing.
 * @returns what its page throws
 */
export function tellFailed({ signIns }: Pick<OwnerServices, 'signIns'>, about: Pick<PendingSignIn, 'signInId' | 'serverName' | 'origin'>, error: unknown): unknown {
  const { kind, code, message, isInternal } = knownFault(error, about);
  signIns.outcomes.tell(about.signInId, { status: 'failed', reason: code, missing: [], message, found: null });
  return isInternal ? error : new Fault(kind, code, message, { server: about.serverName, workspace: about.origin.workspace }, { cause: error });
}
