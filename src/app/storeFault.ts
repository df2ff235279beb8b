import { EventStoreError } from '../events/storeError.js';
import { Fault, type FaultKind } from '../platform/fault.js';

/** An event store's answer as a failure for people; anything else as it is. */
export function storeFault(error: unknown): unknown {
  if (!(error instanceof EventStoreError)) return error;
  const { code, ...details } = error.failure;
  const kind: FaultKind = code === 'corrupt' ? 'damaged' : 'failed';
  return new Fault(kind, code, error.message, details, { cause: error });
}
