import { storeTroubleOf } from '../../../commands/handler/storeTrouble.js';

/** Why the ledger did not take something, as callers are told. */
export interface Trouble {
  readonly code: 'overloaded' | 'ledger_read_only' | 'ledger_unavailable';
  readonly message: string;
}

/**
 * What a failed append means for a caller.
 * @throws the error itself when it is not the event store's
 */
export function troubleOf(error: unknown): Trouble {
  const failure = storeTroubleOf(error);
  if (failure === null || !(error instanceof Error)) throw error;
  if (failure.code === 'overloaded') return { code: 'overloaded', message: error.message };
  if (failure.code === 'read_only') return { code: 'ledger_read_only', message: error.message };
  return { code: 'ledger_unavailable', message: error.message };
}
