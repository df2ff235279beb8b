import type { Position } from '../../envelope.js';
import type { LedgerHead } from '../../eventStore.js';
import type { StoreFailure } from '../../storeError.js';
import type { EventRow } from './row.js';

/** A method of `EventReader` with its arguments. */
export type ReadCall =
  | readonly ['readStream', stream: string, from: number, limit: number]
  | readonly ['readAll', after: Position | null, limit: number]
  | readonly ['head']
  | readonly ['leafAt', position: Position]
  | readonly ['countAfter', after: Position | null];

/** What a read gives: events as rows, to be made into objects by whoever wants them. */
export type ReadResult = readonly EventRow[] | LedgerHead | Uint8Array | number | null;

/** What the reader's thread is told: a read, or to close after what came before. */
export type ToReader = ReadCall | 'close';

/** What the reader's thread says: first whether it could open the file, then one answer a read, in order. */
export type FromReader = { readonly result: ReadResult } | { readonly failure: StoreFailure };
