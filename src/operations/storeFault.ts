import { EventStoreError } from '../events/storeError.js';
import { Fault, type FaultKind } from '../platform/fault.js';

/** An event store's answer as a failure for people; anything else as it is. */
export function storeFault(error: unknown): unknown {
  if (!(error instanceof EventStoreError)) return error;
  const { code, ...details } = error.failure;
  const kind: FaultKind = code === 'corrupt' ? 'damaged' : 'failed';
  return new Fault(kind, code, error.message, details, { cause: error });
}

/** What came of some work; an event store's answer is thrown as a failure for people. */
export async function orFault<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw storeFault(error);
  }
}
