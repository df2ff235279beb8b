import type { Database } from 'better-sqlite3';
import type { AnyEvent } from '../events/catalogue/catalogue.js';
import type { RecordedEvent } from '../events/envelope.js';
import type { JsonObject } from '../platform/json.js';

/** An event as a projection sees it: decoded, with its envelope. */
export type ProjectedEvent = AnyEvent & { readonly envelope: Omit<RecordedEvent, 'data' | 'boxes'> };

/** Opens the boxes of the event at hand; only projections that say `opensBoxes` get one. */
export interface BoxOpener {
  /** The values of each person in the event, current version; `null` where the key is gone (erased). */
  open(event: RecordedEvent): ReadonlyArray<readonly [subject: string, values: JsonObject | null]>;
}

/** Folds events into one read model. Pure over (database, event): no clock, no ids, no other input. */
export interface Fold {
  apply(event: ProjectedEvent, boxes: ReadonlyArray<readonly [subject: string, values: JsonObject | null]>): void;
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
  /** Prepares the fold on a database that has the tables. */
  fold(db: Database): Fold;
}
