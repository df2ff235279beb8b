import { EventStoreError, type StoreFailure } from '../../events/storeError.js';
import { Fault, type FaultKind } from '../../platform/fault.js';
import type { JsonValue } from '../../platform/json.js';
import { shortError } from '../readModel/parkedEvents.js';

/** An error on its way between threads. */
export type PortableError =
  | { readonly of: 'store'; readonly failure: StoreFailure }
  | { readonly of: 'fault'; readonly kind: FaultKind; readonly code: string; readonly message: string; readonly details: { readonly [key: string]: JsonValue } };

export function toPortable(error: unknown): PortableError {
  if (error instanceof EventStoreError) return { of: 'store', failure: error.failure };
  if (error instanceof Fault) return { of: 'fault', kind: error.kind, code: error.code, message: error.message, details: error.details };
  return { of: 'fault', kind: 'failed', code: 'view_failed', message: `A view failed: ${shortError(error)}`, details: {} };
}

export function fromPortable(portable: PortableError): Error {
  return portable.of === 'store'
    ? new EventStoreError(portable.failure)
    : new Fault(portable.kind, portable.code, portable.message, portable.details);
}
