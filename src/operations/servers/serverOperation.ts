import type { z } from 'zod';
import { Fault } from '../../platform/fault.js';
import { operation, type Operation, type Reach } from '../operation.js';

/** What changes of a server may come to, as panels and scripts for it know them; codes that are not here have no word. */
const statusWords: { readonly [code: string]: string } = {
  invalid_name: 'invalid-name',
  invalid_type: 'invalid-type',
  family_in_use: 'family-in-use',
  limit_reached: 'limit-reached',
  connection_failed: 'connection-failed',
  duplicate_name: 'duplicate-or-write-failed',
  duplicate_id: 'duplicate-or-write-failed',
  not_found: 'not-found',
  address_missing: 'unavailable',
  workspace_unknown: 'unavailable',
  workspace_closed: 'unavailable',
};

/** For operations whose trace is how the servers of a workspace stand. */
export const lookAtServers = 'Look with `toolledger mcp list` before you repeat it.';

/** An operation that changes a server: what it fails with carries, beside its code, the status word of the outcome. */
export function serverOperation<R extends Reach, Input extends z.ZodType, Output extends z.ZodType>(declaration: Operation<R, Input, Output>): Operation<R, Input, Output> {
  return operation({
    ifLost: lookAtServers,
    ...declaration,
    async run(services, input, invocation) {
      try {
        return await declaration.run(services, input, invocation);
      } catch (error) {
        throw withStatus(error);
      }
    },
  });
}

function withStatus(error: unknown): unknown {
  if (!(error instanceof Fault)) return error;
  const status = error.code.startsWith('url_') ? 'invalid-url' : statusWords[error.code];
  return status === undefined ? error : new Fault(error.kind, error.code, error.message, { ...error.details, status }, { cause: error });
}
