import type { Database } from 'better-sqlite3';
import type { AnyEvent } from '../events/catalogue/catalogue.js';
import type { RecordedEvent } from '../events/envelope.js';
import type { JsonObject } from '../platform/json.js';

/** An event as a projection sees it: decoded, with its envelope. */
export type ProjectedEvent = AnyEvent & {
  /** How many events of the ledger lie up to and including this one: the same for every view and every rebuild. */
  readonly ordinal: number;
  readonly envelope: Omit<RecordedEvent, 'data' | 'boxes'>;
};

/** What the boxes of an event hold: each person's values, or `null` where the key is gone (erased). */
export type OpenedBoxes = ReadonlyArray<readonly [subject: string, values: JsonObject | null]>;

/** Opens the boxes of the event at hand; only projections that say `opensBoxes` get what it gives. */
export interface BoxOpener {
  open(event: RecordedEvent): OpenedBoxes;
}

/** Folds events into one read model. Pure over (database, event): no clock, no ids, no other input. */
export interface Fold {
  /**
   * Takes in one event. May keep what it has to write until `flush`.
   * @throws any error when the event cannot be folded; the transaction is then rolled back and this fold thrown away
   */
  apply(event: ProjectedEvent, boxes: OpenedBoxes): void;
  /** Writes what is still kept; called at the end of each transaction. */
  flush(): void;
}

/** A read model: its tables, its fold, and how it behaves when an event cannot be folded. */
export interface Projection {
  /** Names the file together with the version: `readmodels/<name>@<version>.db`. */
  readonly name: string;
  /** Raised whenever tables or fold change; the new version is built beside the old one. */
  readonly version: number;
  /** Event types it folds; all others are skipped without being parsed. */
  readonly handles: readonly AnyEvent['type'][];
  readonly opensBoxes: boolean;
  /** `park`: set the event aside and go on. `halt`: stop, because a wrong view is worse than an old one. */
  readonly onPoison: 'park' | 'halt';
  /** DDL of the tables. */
  readonly tables: string;
  /** DDL of the secondary indexes, created last in a rebuild. */
  readonly indexes: string;
  /** Queries that give every row in a stable order; their digest proves that rebuild equals live. */
  readonly rows: readonly string[];
  /**
   * Takes out of the file what folding has deleted and SQLite still keeps; called outside of transactions. Absent: what
   * this view deletes is nobody's secret.
   * @returns false when a reader is in the way
   */
  readonly sweep?: (db: Database) => boolean;
  /** Prepares the fold on a database that has the tables. */
  fold(db: Database): Fold;
}
