import type { Database } from 'better-sqlite3';
import type { AnyEvent, Catalogue } from '../../events/catalogue/catalogue.js';
import type { RecordedEvent } from '../../events/envelope.js';
import { Fault } from '../../platform/fault.js';
import { sqliteCode } from '../../platform/sqlite/sqliteFault.js';
import { readCheckpoint, saveCheckpoint, type Checkpoint } from './checkpoint.js';
import type { EventSource } from '../folding/eventSource.js';
import { LedgerPage } from '../folding/ledgerPage.js';
import { park, parkedRows, shortError, unpark } from './parkedEvents.js';
import type { BoxOpener, Fold, OpenedBoxes, ProjectedEvent, Projection } from '../projection.js';

const noBoxes: OpenedBoxes = [];

/** One read model being filled: its file, its fold, its checkpoint. */
export class ReadModel {
  readonly #handles: ReadonlySet<string>;
  #checkpoint: Checkpoint | null;
  #fold: Fold;
  #halted: string | null = null;

  constructor(
    readonly projection: Projection,
    readonly db: Database,
    private readonly catalogue: Catalogue,
    private readonly boxes: BoxOpener,
  ) {
    this.#handles = new Set(projection.handles);
    this.#checkpoint = readCheckpoint(db);
    this.#fold = projection.fold(db);
  }

  get checkpoint(): Checkpoint | null {
    return this.#checkpoint;
  }

  /** Why it takes no more events, or null. */
  get halted(): string | null {
    return this.#halted;
  }

  /**
   * Folds the events that follow the checkpoint, rows and checkpoint in one transaction. When one of them cannot be
   * folded, all before it are kept, and it is parked or this model halts.
   * @throws when the file itself cannot be written or is damaged; this model is then to be closed
   */
  fold(page: LedgerPage): void {
    try {
      this.#foldEvents(page, 0, page.events.length);
    } catch (error) {
      if (isFileTrouble(error)) throw error;
      for (let index = 0; index < page.events.length && this.#halted === null; index += 1) this.#foldAlone(page, index);
    }
  }

  /** Tries parked events again, in order. @returns how many stay parked */
  retryParked(source: EventSource): number {
    for (const row of parkedRows(this.db)) {
      const [event] = source.readStream(row.stream, row.revision, 1);
      if (event === undefined) continue;
      try {
        this.#transact(() => {
          this.#apply(new LedgerPage([event], this.catalogue), 0, row.ordinal);
          unpark(this.db, row.position, row.eventId);
        });
      } catch (error) {
        if (isFileTrouble(error)) throw error;
        this.#transact(() => {
          park(this.db, event, row.ordinal, error);
        });
      }
    }
    return parkedRows(this.db).length;
  }

  #foldAlone(page: LedgerPage, index: number): void {
    try {
      this.#foldEvents(page, index, index + 1);
    } catch (error) {
      const event = page.events[index];
      if (isFileTrouble(error) || event === undefined) throw error;
      if (this.projection.onPoison === 'halt' || isUnknownVersion(error)) {
        this.#halted = `${event.type} at position ${event.position} cannot be folded: ${shortError(error)}`;
        return;
      }
      this.#advance(event, 1, (ordinal) => {
        park(this.db, event, ordinal + 1, error);
      });
    }
  }

  #foldEvents(page: LedgerPage, from: number, to: number): void {
    const last = page.events[to - 1];
    if (last === undefined) return;
    this.#advance(last, to - from, (ordinal) => {
      for (let index = from; index < to; index += 1) this.#apply(page, index, ordinal + 1 + index - from);
    });
  }

  /** Does `work` and moves the checkpoint on by `count` events to `last`, both or neither. */
  #advance(last: RecordedEvent, count: number, work: (ordinal: number) => void): void {
    const ordinal = this.#checkpoint?.ordinal ?? 0;
    const next = { position: last.position, leaf: last.leaf, ordinal: ordinal + count };
    this.#transact(() => {
      work(ordinal);
      saveCheckpoint(this.db, next);
    });
    this.#checkpoint = next;
  }

  #transact(work: () => void): void {
    try {
      this.db.transaction(() => {
        work();
        this.#fold.flush();
      })();
    } catch (error) {
      // What the fold still keeps belongs to the transaction that is gone.
      this.#fold = this.projection.fold(this.db);
      throw error;
    }
  }

  #apply(page: LedgerPage, index: number, ordinal: number): void {
    const event = page.events[index];
    if (event === undefined) return;
    if (event.type === 'ParkedEventSkipped') this.#skip(page.decoded(index));
    if (this.#handles.has(event.type)) {
      const { type, data } = page.decoded(index);
      const projected = { type, data, ordinal, envelope: event } as ProjectedEvent;
      this.#fold.apply(projected, this.projection.opensBoxes && event.boxes !== '' ? this.boxes.open(event) : noBoxes);
    } else if (this.catalogue.typeNamed(event.type) === undefined) {
      // Decoding names the type and says what to do.
      page.decoded(index);
    }
  }

  #skip(event: AnyEvent): void {
    if (event.type !== 'ParkedEventSkipped' || event.data.projection !== this.projection.name) return;
    unpark(this.db, event.data.position, event.data.eventId);
  }
}

/** Whether an error is about the file and says nothing about the event. */
export function isFileTrouble(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|BUSY|LOCKED|NOMEM)/.test(code);
}

function isUnknownVersion(error: unknown): boolean {
  return error instanceof Fault && error.code === 'unknown_event_version';
}
