import { AuthorizationFault, type AuthorizationFaultCode } from '../../../../../mcp/client/authorization/authorizationFault.js';
import { Fault } from '../../../../../platform/fault.js';
import { commandsFor } from '../../commandsFor.js';
import type { PendingSignIn } from '../../pending/pendingSignIn.js';
import { storeFault } from '../../../../storeFault.js';

/** Another time may be better. Others say themselves what helps. */
const passing: ReadonlySet<AuthorizationFaultCode> = new Set(['authorization_server_unreachable', 'token_lost', 'response_too_large']);

/**
 * What a failure is for whoever waits: in its own words where it is meant for people, else only that there was one; then it goes to the log.
 * @param about the sign-in, for the commands that are named
 */
export function knownFault(error: unknown, about: Pick<PendingSignIn, 'serverName' | 'origin'>): Pick<Fault, 'kind' | 'code' | 'message'> & { readonly isInternal: boolean } {
  const fault = storeFault(error);
  if (fault instanceof Fault) return { kind: fault.kind, code: fault.code, message: commandsFor(about, fault.message), isInternal: false };
  if (fault instanceof AuthorizationFault) return { kind: 'failed', code: fault.code, message: commandsFor(about, `${fault.message}${passing.has(fault.code) ? ' Begin again with `toolledger mcp sign-in`.' : ''}`), isInternal: false };
  return { kind: 'failed', code: 'internal_error', message: 'Something went wrong inside; the log says what.', isInternal: true };
}
