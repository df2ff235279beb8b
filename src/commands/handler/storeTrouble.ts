import { EventStoreError, type StoreFailure } from '../../events/storeError.js';

/** What the event store answered instead of taking an append, or null when the error is not the store's. */
export function storeTroubleOf(error: unknown): StoreFailure | null {
  return error instanceof EventStoreError ? error.failure : null;
}
