import type Database from 'better-sqlite3';
import { sqliteCode } from '../../../platform/sqlite/sqliteFault.js';
import { sweepDatabase } from '../../../platform/sqlite/sweep.js';
import type { NewEvent } from '../../envelope.js';
import type { AppendResult, ExpectedRevision } from '../../eventStore.js';
import { leafOf } from '../../leaf.js';
import { EventStoreError, type StoreFailure } from '../../storeError.js';
import { type Breakage, breakageOf, saidBy } from '../failureOf.js';
import { dropPayloads } from './dropPayloads.js';
import { StreamHeads } from './streamHeads.js';
import { uuidBytes } from './uuidBytes.js';

const cachedHeads = 20_000;
/** Stands for the revision of a stream that does not exist. */
const none = -1;

/** One append that passed `checkAppend`. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
  /** The writer's clock when it was asked, whole milliseconds since the epoch. */
  readonly now: number;
}

/** What became of one append: a failure has a `code`. */
export type AppendOutcome = AppendResult | StoreFailure;

interface StoredPlace {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly recordedAt: number;
  readonly leaf: Buffer;
}

/** The only code that writes events. It belongs to one connection and blocks its thread while the disk works. */
export class Writer {
  readonly #db: Database.Database;
  readonly #begin: Database.Statement<[]>;
  readonly #commit: Database.Statement<[]>;
  readonly #dataVersion: Database.Statement<[], number>;
  readonly #last: Database.Statement<[], { position: number; recordedAt: number }>;
  readonly #streamHead: Database.Statement<[stream: string], number | null>;
  readonly #byId: Database.Statement<[id: Buffer], StoredPlace>;
  readonly #insert: Database.Statement;

  readonly #heads = new StreamHeads(cachedHeads);
  #seenDataVersion: number | null = null;
  #position = 0;
  #recordedAt = 0;
  #breakage: Breakage | null = null;

  /** @param db a `writer` connection with the schema of `ledgerFormat`; closed by `close` */
  constructor(db: Database.Database) {
    this.#db = db;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
    this.#last = db.prepare('SELECT position, recorded_at AS recordedAt FROM events ORDER BY position DESC LIMIT 1');
    this.#streamHead = db.prepare<[string], number | null>('SELECT max(revision) FROM events WHERE stream = ?').pluck();
    this.#byId = db.prepare('SELECT position, stream, revision, recorded_at AS recordedAt, leaf FROM events WHERE event_id = ?');
    this.#insert = db.prepare(
      `INSERT INTO events (position, event_id, stream, revision, type, version, occurred_at, recorded_at, actor, door,
        on_behalf_of, correlation, causation, workspace, runner, data, boxes, leaf)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  /** Why nothing is written any more, or null. */
  get breakage(): Breakage | null {
    return this.#breakage;
  }

  /**
   * Evaluates the requests in order, each on its own, and makes everything they add durable in one transaction.
   * @returns one outcome a request, in the same order; what is said to be stored is on the disk
   */
  commit(requests: readonly AppendRequest[]): AppendOutcome[] {
    const breakage = this.#breakage;
    if (breakage !== null) return requests.map(() => breakage);
    try {
      return this.#transaction(() => requests.map((request) => this.#evaluate(request, false)));
    } catch (error) {
      this.#undo();
      // The fast way guesses that new streams and ids are new. A wrong guess costs a replay, one by one.
      if (isObjection(error)) return requests.map((request) => this.#commitAlone(request));
      const failure = this.#failed(error);
      return requests.map(() => failure);
    }
  }

  /** Makes stubs of events, all or none. @returns null, or why nothing was dropped */
  drop(positions: readonly number[]): StoreFailure | null {
    if (this.#breakage !== null) return this.#breakage;
    try {
      this.#transaction(() => dropPayloads(this.#db, positions));
      return null;
    } catch (error) {
      this.#undo();
      return error instanceof EventStoreError ? error.failure : this.#failed(error);
    }
  }

  /** Writes the file anew, without what was dropped. @returns whether nothing of it is left, or why it was not done */
  sweep(): boolean | StoreFailure {
    if (this.#breakage !== null) return this.#breakage;
    try {
      return sweepDatabase(this.#db);
    } catch (error) {
      return this.#failed(error);
    }
  }

  close(): void {
    this.#db.close();
  }

  #commitAlone(request: AppendRequest): AppendOutcome {
    if (this.#breakage !== null) return this.#breakage;
    try {
      return this.#transaction(() => this.#evaluate(request, true));
    } catch (error) {
      this.#undo();
      return isObjection(error) ? this.#objectionTo(request, error) : this.#failed(error);
    }
  }

  #transaction<T>(work: () => T): T {
    this.#begin.run();
    const dataVersion = this.#dataVersion.get() ?? 0;
    if (dataVersion !== this.#seenDataVersion) this.#lookAgain(dataVersion);
    const done = work();
    this.#commit.run();
    return done;
  }

  /** Another connection wrote, or a rollback made what is remembered wrong. */
  #lookAgain(dataVersion: number): void {
    const last = this.#last.get();
    this.#heads.clear();
    this.#position = last?.position ?? 0;
    this.#recordedAt = last?.recordedAt ?? 0;
    this.#seenDataVersion = dataVersion;
  }

  #evaluate(request: AppendRequest, lookFirst: boolean): AppendOutcome {
    const { stream, events } = request;
    const expected = request.expected === 'noStream' ? none : request.expected;
    const head = this.#heads.get(stream) ?? (expected === none && !lookFirst ? none : this.#readHead(stream));
    if (head !== expected) return this.#known(request, expected, head);

    const recordedAt = Math.max(request.now, this.#recordedAt);
    let revision = head;
    for (const event of events) {
      revision += 1;
      this.#position += 1;
      this.#store(event, { stream, revision, recordedAt });
    }
    this.#recordedAt = recordedAt;
    this.#heads.set(stream, revision);
    return { revision, position: String(this.#position), recordedAt, duplicate: false };
  }

  #store(event: NewEvent, at: { readonly stream: string; readonly revision: number; readonly recordedAt: number }): void {
    this.#insert.run(
      this.#position,
      uuidBytes(event.id),
      at.stream,
      at.revision,
      event.type,
      event.version,
      event.occurredAt,
      at.recordedAt,
      event.actor,
      event.door,
      event.onBehalfOf,
      event.correlation,
      event.causation,
      event.workspace,
      event.runner,
      event.data,
      event.boxes,
      leafOf(event, at),
    );
  }

  #readHead(stream: string): number {
    return this.#streamHead.get(stream) ?? none;
  }

  /** The stream is not where the request expects it: either the request was stored before, or it is refused. */
  #known(request: AppendRequest, expected: number, head: number): AppendOutcome {
    let last: StoredPlace | undefined;
    let unknown = false;
    for (const [index, event] of request.events.entries()) {
      const place = this.#byId.get(uuidBytes(event.id));
      if (place === undefined) unknown = true;
      else if (!isSame(place, request.stream, expected + 1 + index, event)) return conflict(request, event);
      last = place;
    }
    if (unknown || last === undefined) {
      const actual = head === none ? null : head;
      return { code: 'wrong_expected_revision', stream: request.stream, expected: request.expected, actual };
    }
    return { revision: last.revision, position: String(last.position), recordedAt: last.recordedAt, duplicate: true };
  }

  /** The stream is where the request expects it and the database still objects: an id is used elsewhere. */
  #objectionTo(request: AppendRequest, error: unknown): AppendOutcome {
    const known = request.events.find((event) => this.#byId.get(uuidBytes(event.id)) !== undefined);
    if (known !== undefined) return conflict(request, known);
    return { code: 'invalid_append', stream: request.stream, problem: `the database does not take it: ${saidBy(error)}` };
  }

  #undo(): void {
    this.#seenDataVersion = null;
    try {
      // Some errors, such as a full disk, have rolled back already.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    } catch (error) {
      this.#breakage = breakageOf(error);
    }
  }

  #failed(error: unknown): StoreFailure {
    const code = sqliteCode(error) ?? '';
    if (code.startsWith('SQLITE_BUSY')) return { code: 'unavailable', detail: 'another process holds the ledger for writing' };
    this.#breakage ??= breakageOf(error);
    // The commit may be in the log although the disk did not confirm it; the next start may find it.
    return code === 'SQLITE_IOERR_FSYNC' ? { code: 'outcome_unknown', detail: saidBy(error) } : this.#breakage;
  }
}

function isSame(place: StoredPlace, stream: string, revision: number, event: NewEvent): boolean {
  // The leaf covers everything a caller gives, and outlives the payload.
  return (
    place.stream === stream &&
    place.revision === revision &&
    leafOf(event, { stream, revision, recordedAt: place.recordedAt }).equals(place.leaf)
  );
}

function conflict(request: AppendRequest, event: NewEvent): StoreFailure {
  return { code: 'event_id_conflict', eventId: event.id, stream: request.stream };
}

function isObjection(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_CONSTRAINT') === true;
}
