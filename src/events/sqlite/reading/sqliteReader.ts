import type Database from 'better-sqlite3';
import { openDatabase } from '../../../platform/sqlite/openDatabase.js';
import type { Position, RecordedEvent } from '../../envelope.js';
import type { LedgerHead } from '../../eventStore.js';
import { EventStoreError } from '../../storeError.js';
import { openFailure, readFailure } from '../failureOf.js';
import { type EventRow, eventOfRow, isStub, rowColumns } from './row.js';
import { ledgerFormat } from '../schema.js';

const pageBytes = 4 * 1024 * 1024;
// How many rows are fetched before the bytes are counted: bounds memory without an iterator that pins the log.
const rowsAtOnce = 64;

/**
 * Opens a ledger for reading in the calling thread, beside its writer.
 * @throws EventStoreError `cannot_open`, `newer_schema`, `foreign_file` or `corrupt`
 */
export function openSqliteReader(file: string): SqliteReader {
  try {
    return new SqliteReader(openDatabase(file, 'reader', ledgerFormat));
  } catch (error) {
    throw new EventStoreError(openFailure(error, file), { cause: error });
  }
}

/**
 * The reading half of the embedded engine, synchronous: for threads that may wait for the disk. Every read is short
 * and sees all that was committed before it. Methods promise what `EventReader` promises and throw `EventStoreError`.
 */
export class SqliteReader {
  readonly #db: Database.Database;
  readonly #all: Database.Statement<[after: number, limit: number], EventRow>;
  readonly #stream: Database.Statement<[stream: string, from: number, limit: number], EventRow>;
  readonly #head: Database.Statement<[], [position: number, recordedAt: number, leaf: Buffer]>;
  readonly #leaf: Database.Statement<[position: number], Buffer>;
  readonly #recordedAt: Database.Statement<[position: number], number>;

  /** @param db a connection with the schema of `ledgerFormat`; closed by `close` */
  constructor(db: Database.Database) {
    this.#db = db;
    this.#all = db
      .prepare<[number, number], EventRow>(`SELECT ${rowColumns} FROM events WHERE position > ? ORDER BY position LIMIT ?`)
      .raw();
    this.#stream = db
      .prepare<[string, number, number], EventRow>(
        `SELECT ${rowColumns} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`,
      )
      .raw();
    this.#head = db
      .prepare<[], [number, number, Buffer]>('SELECT position, recorded_at, leaf FROM events ORDER BY position DESC LIMIT 1')
      .raw();
    this.#recordedAt = db.prepare<[number], number>('SELECT recorded_at FROM events WHERE position = ?').pluck();
    this.#leaf = db.prepare<[number], Buffer>('SELECT leaf FROM events WHERE position = ?').pluck();
  }

  readStream(stream: string, from: number, limit: number): RecordedEvent[] {
    return this.streamRows(stream, from, limit).map(eventOfRow);
  }

  /** At most about 4 MiB of events a page. */
  readAll(after: Position | null, limit: number): RecordedEvent[] {
    return this.allRows(after, limit).map(eventOfRow);
  }

  /** `readStream` as rows, to be handed to another thread. */
  streamRows(stream: string, from: number, limit: number): EventRow[] {
    const rows = reading(() => this.#stream.all(stream, from, limit));
    rows.forEach((row, index) => {
      if (row[3] !== from + index) throw damaged(row[0], `revision ${from + index} of stream ${stream} is missing`);
    });
    return rows;
  }

  /** `readAll` as rows, to be handed to another thread. */
  allRows(after: Position | null, limit: number): EventRow[] {
    const rows: EventRow[] = [];
    let last = numberOf(after);
    let bytes = 0;
    while (rows.length < limit && bytes < pageBytes) {
      const wanted = Math.min(rowsAtOnce, limit - rows.length);
      const next = reading(() => this.#all.all(last, wanted));
      for (const row of next) {
        if (row[0] !== last + 1) throw damaged(last + 1, `it is missing; ${row[0]} follows ${last}`);
        last = row[0];
        rows.push(row);
      }
      for (const row of next) if (!isStub(row)) bytes += row[15].length + row[16].length;
      if (next.length < wanted) break;
    }
    return rows;
  }

  head(): LedgerHead | null {
    const row = reading(() => this.#head.get());
    return row === undefined ? null : { position: String(row[0]), recordedAt: row[1], leaf: row[2] };
  }

  leafAt(position: Position): Uint8Array | null {
    return isPosition(position) ? (reading(() => this.#leaf.get(Number(position))) ?? null) : null;
  }

  /**
   * Position of the last event recorded before a time, or null when there is none; by halving, because positions have
   * no gaps and recordedAt never falls.
   * @param time milliseconds since the epoch
   */
  lastBefore(time: number): Position | null {
    let before = 0;
    let notBefore = Number(this.head()?.position ?? 0) + 1;
    while (notBefore - before > 1) {
      const middle = Math.floor((before + notBefore) / 2);
      const recordedAt = reading(() => this.#recordedAt.get(middle));
      if (recordedAt === undefined) throw damaged(middle, 'it is missing');
      if (recordedAt < time) before = middle;
      else notBefore = middle;
    }
    return before === 0 ? null : String(before);
  }

  /** Positions have no gaps, so that counting is subtracting. */
  countAfter(after: Position | null): number {
    return Math.max(0, Number(this.head()?.position ?? 0) - numberOf(after));
  }

  close(): void {
    this.#db.close();
  }
}

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new EventStoreError(readFailure(error), { cause: error });
  }
}

function isPosition(position: Position): boolean {
  return /^[1-9][0-9]{0,15}$/.test(position);
}

function numberOf(after: Position | null): number {
  if (after === null) return 0;
  if (isPosition(after)) return Number(after);
  throw new EventStoreError({ code: 'corrupt', detail: 'this is not a position of this ledger', position: after });
}

function damaged(position: number, detail: string): EventStoreError {
  return new EventStoreError({ code: 'corrupt', detail, position: String(position) });
}
