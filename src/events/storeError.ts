import type { Position } from './envelope.js';

/** Everything an event store can answer instead of doing what it was asked; the code says which. */
export type StoreFailure =
  /** The stream is not where the writer thought. Read it again and decide again. */
  | { readonly code: 'wrong_expected_revision'; readonly stream: string; readonly expected: 'noStream' | number; readonly actual: number | null }
  /** An event with this id is there with other content. Never retry; somebody reuses ids. */
  | { readonly code: 'event_id_conflict'; readonly eventId: string; readonly stream: string }
  /** The append is larger than the limit. Nothing was stored. */
  | { readonly code: 'append_too_large'; readonly stream: string; readonly bytes: number; readonly limit: number }
  /** The event or stream name is not of the form the store takes. Nothing was stored. */
  | { readonly code: 'invalid_append'; readonly stream: string; readonly problem: string }
  /** Too much is waiting to be written. Nothing was stored; try again in a moment. */
  | { readonly code: 'overloaded'; readonly waiting: number; readonly limit: number; readonly unit: 'appends' | 'bytes' }
  /** The store cannot write any more (disk full, I/O error) and stays readable. Nothing of this append was stored. */
  | { readonly code: 'read_only'; readonly cause: 'disk_full' | 'io_error' | 'corrupt'; readonly detail: string }
  /** Nobody can say whether the append was stored. Append again with the same ids: it is answered, not stored twice. */
  | { readonly code: 'outcome_unknown'; readonly detail: string }
  /** The store is closed or out of reach. Nothing was stored. */
  | { readonly code: 'unavailable'; readonly detail: string }
  /** What is stored cannot be what was written. */
  | { readonly code: 'corrupt'; readonly detail: string; readonly position: Position | null }
  /** The file was written by a newer version of the program. It was not touched. */
  | { readonly code: 'newer_schema'; readonly file: string; readonly found: number; readonly known: number }
  /** The file is not a ledger. It was not touched. */
  | { readonly code: 'foreign_file'; readonly file: string; readonly detail: string }
  /** The file cannot be opened as asked. */
  | { readonly code: 'cannot_open'; readonly file: string; readonly detail: string };

/** Thrown by every method of an event store; `failure` is the discriminated union to switch on. */
export class EventStoreError extends Error {
  override readonly name = 'EventStoreError';

  constructor(readonly failure: StoreFailure, options?: ErrorOptions) {
    super(describe(failure), options);
  }
}

/** Whether `error` is the store's answer with this code. */
export function isStoreFailure<C extends StoreFailure['code']>(
  error: unknown,
  code: C,
): error is EventStoreError & { readonly failure: Extract<StoreFailure, { code: C }> } {
  return error instanceof EventStoreError && error.failure.code === code;
}

function describe(failure: StoreFailure): string {
  switch (failure.code) {
    case 'wrong_expected_revision':
      return `Stream ${failure.stream} is at ${failure.actual ?? 'no event'}, not at ${failure.expected}. Read it again and decide again.`;
    case 'event_id_conflict':
      return `Event ${failure.eventId} is already stored with other content than was given for stream ${failure.stream}. Use a new id for a new event.`;
    case 'append_too_large':
      return `An append to ${failure.stream} of ${failure.bytes} bytes is over the limit of ${failure.limit} bytes. Nothing was stored; split it or store less.`;
    case 'invalid_append':
      return `An append to ${failure.stream} was refused: ${failure.problem}. Nothing was stored.`;
    case 'overloaded':
      return `${failure.waiting} ${failure.unit} are waiting to be written, the limit is ${failure.limit}. Nothing was stored; try again in a moment.`;
    case 'read_only':
      return `The ledger cannot be written (${failure.cause}: ${failure.detail}). Nothing of this append was stored. Free disk space or repair the disk, then restart.`;
    case 'outcome_unknown':
      return `Nobody can say whether the append was stored (${failure.detail}). Append the same events again: they are answered, not stored twice.`;
    case 'unavailable':
      return `The ledger is not available (${failure.detail}). Nothing was stored.`;
    case 'corrupt':
      return `The ledger is damaged${failure.position === null ? '' : ` at position ${failure.position}`}: ${failure.detail}. Stop writing and run \`toolledger ledger verify\`.`;
    case 'newer_schema':
      return `${failure.file} has schema version ${failure.found}; this program knows up to ${failure.known}. Nothing was changed; run the newer version of toolledger that wrote it.`;
    case 'foreign_file':
      return `${failure.file} is not a toolledger file (${failure.detail}). Nothing was changed; point --data at another directory.`;
    case 'cannot_open':
      return `${failure.file} cannot be opened: ${failure.detail}.`;
  }
}
