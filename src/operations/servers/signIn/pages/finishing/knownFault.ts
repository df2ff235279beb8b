import { AuthorizationFault } from '../../../../../mcp/client/authorization/authorizationFault.js';
import { Fault } from '../../../../../platform/fault.js';
import { storeFault } from '../../../../storeFault.js';

/** What a failure is for whoever waits: in its own words where it is meant for people, else only that there was one; then it goes to the log. */
export function knownFault(error: unknown): Pick<Fault, 'kind' | 'code' | 'message'> & { readonly isInternal: boolean } {
  const fault = storeFault(error);
  if (fault instanceof Fault) return { kind: fault.kind, code: fault.code, message: fault.message, isInternal: false };
  if (fault instanceof AuthorizationFault) return { kind: 'failed', code: fault.code, message: fault.message, isInternal: false };
  return { kind: 'failed', code: 'internal_error', message: 'Something went wrong inside; the log says what.', isInternal: true };
}
