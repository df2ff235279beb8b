import type { Position, RecordedEvent } from '../../events/envelope.js';
import type { LedgerHead } from '../../events/eventStore.js';

/**
 * The ledger as projections read it: the reading half of an event store, answered at once, for a thread that may wait.
 * Methods as in `EventReader`.
 */
export interface EventSource {
  readStream(stream: string, from: number, limit: number): readonly RecordedEvent[];
  readAll(after: Position | null, limit: number): readonly RecordedEvent[];
  head(): LedgerHead | null;
  leafAt(position: Position): Uint8Array | null;
  countAfter(after: Position | null): number;
}
