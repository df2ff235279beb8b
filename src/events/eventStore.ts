import type { NewEvent, Position, RecordedEvent } from './envelope.js';

/** Most bytes of data and boxes that one append may carry, on every engine. */
export const maxAppendBytes = 900 * 1024;

/** What a writer believes of a stream: that it does not exist yet, or the revision of its last event. */
export type ExpectedRevision = 'noStream' | number;

/** The answer to an append that is durable. */
export interface AppendResult {
  /** Revision of the last event of the append. */
  readonly revision: number;
  /** Position of the last event of the append. */
  readonly position: Position;
  /** The writer's clock at the last event, milliseconds since the epoch. */
  readonly recordedAt: number;
  /** True when these very events were already there and nothing was stored now. */
  readonly duplicate: boolean;
}

/** The newest event of the ledger, as far as order and loss are concerned. */
export interface LedgerHead {
  readonly position: Position;
  readonly recordedAt: number;
  readonly leaf: Uint8Array;
}

/** The reading half of an event store. Every method throws `EventStoreError`. */
export interface EventReader {
  /**
   * A page of one stream in order of revision.
   * @param from first revision wanted
   * @param limit most events to return; fewer than that means the stream ends here
   * @returns an empty page when the stream does not exist or ends before `from`
   */
  readStream(stream: string, from: number, limit: number): Promise<readonly RecordedEvent[]>;

  /**
   * A page of the whole ledger in order of position.
   * @param after position of the last event already seen, or null for the beginning
   * @param limit most events to return; may return fewer to bound memory, but at least one unless the ledger ends
   */
  readAll(after: Position | null, limit: number): Promise<readonly RecordedEvent[]>;

  /** The newest event, or null when the ledger is empty. */
  head(): Promise<LedgerHead | null>;

  /** The leaf stored at a position, or null when nothing lies there: how loss is noticed. */
  leafAt(position: Position): Promise<Uint8Array | null>;

  /** How many events follow `after` (null: all). */
  countAfter(after: Position | null): Promise<number>;
}

/** Durable, ordered, append-only storage of events. */
export interface EventStore extends EventReader {
  /**
   * Appends events to one stream, all or none. When the promise resolves they are durable.
   *
   * Appending the same ids with the same content at the same place again is answered with `duplicate: true`;
   * a known id with other content is `event_id_conflict`; a stream elsewhere than expected is
   * `wrong_expected_revision`.
   * @param events one or more, at most `maxAppendBytes` of data and boxes together
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;

  /**
   * Takes the payloads of events away for good. Their places, ids, times and leaves stay, so that nothing moves and
   * everything still verifies; they are given back as `stubEvent` from then on. Durable when the promise resolves, all
   * or none; stubs stay stubs.
   */
  dropPayloads(positions: readonly Position[]): Promise<void>;

  /**
   * Takes what dropped payloads have left in the storage out of it: unused parts of files hold copies until then. May
   * take as long as copying everything, and appends wait meanwhile.
   * @returns false when a reader is in the way and some of it may still be there
   */
  sweepDropped(): Promise<boolean>;

  /**
   * Calls `listener` with the newest position after each commit, or once after several, until the returned function is
   * called.
   * A listener that throws is the listener's fault and stops nothing.
   */
  onAppended(listener: (position: Position) => void): () => void;

  /** Whether appends are taken, and if not, why not. */
  writable(): { readonly ok: true } | { readonly ok: false; readonly cause: 'disk_full' | 'io_error' | 'corrupt' | 'closed'; readonly detail: string };

  /** Lets waiting appends finish, then closes. Further calls are refused `unavailable`. */
  close(): Promise<void>;
}
