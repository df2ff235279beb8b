import { checkAppend } from '../../checkAppend.js';
import type { NewEvent, Position } from '../../envelope.js';
import type { AppendResult, EventStore, ExpectedRevision } from '../../eventStore.js';
import { EventStoreError, type StoreFailure } from '../../storeError.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { Thread } from '../../../platform/threads/startThread.js';
import { type Breakage, notWritable } from '../failureOf.js';
import type { AppendOutcome } from './writer.js';
import { type Drop, type FromWriter, pack, type PackedAppend, type ToWriter, unpackOutcomes } from './writerMessages.js';

/** How much may wait to be written. */
export interface QueueLimits {
  readonly appends: number;
  /** Bytes of data and boxes. */
  readonly bytes: number;
}

export const defaultQueueLimits: QueueLimits = { appends: 10_000, bytes: 64 * 1024 * 1024 };

interface Waiting {
  readonly bytes: number;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: EventStoreError) => void;
}

/**
 * The caller's end of the writer's thread: bounds what waits, hands over the appends of one tick in one message, and
 * settles each caller's promise when its outcome comes back.
 */
export class AppendQueue {
  readonly #worker: Thread;
  readonly #clock: Clock;
  readonly #limits: QueueLimits;
  readonly #onAppended: (position: Position) => void;
  readonly #waiting: Waiting[] = [];
  readonly #tidying: { readonly resolve: (done: boolean) => void; readonly reject: (error: EventStoreError) => void }[] = [];
  readonly #exited: Promise<void>;
  #thisTick: PackedAppend[] = [];
  #bytes = 0;
  #untold: Position | null = null;
  #writable: ReturnType<EventStore['writable']> = { ok: true };
  #closed: StoreFailure | null = null;

  /**
   * @param worker a writer's thread that has opened its file
   * @param onAppended told the newest position after commits that added events
   */
  constructor(worker: Thread, clock: Clock, limits: QueueLimits, onAppended: (position: Position) => void) {
    this.#worker = worker;
    this.#clock = clock;
    this.#limits = limits;
    this.#onAppended = onAppended;
    let crash = 'it stopped by itself';
    worker.on('message', (message: FromWriter) => {
      if ('outcomes' in message) this.#settle(unpackOutcomes(message.outcomes), message.breakage);
      if ('tidied' in message) this.#settleTidying(message.tidied, message.breakage);
    });
    worker.on('error', (error: Error) => {
      crash = error.message;
    });
    this.#exited = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#lost(crash);
        resolve();
      });
    });
  }

  /** `EventStore.append`. */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== null) throw new EventStoreError(this.#closed);
      const bytes = checkAppend(stream, expected, events);
      this.#refuseOverload(bytes);
      if (this.#thisTick.length === 0) this.#flushAfterThisTick();
      this.#thisTick.push(pack(stream, expected, this.#clock.now(), events));
      this.#waiting.push({ bytes, resolve, reject });
      this.#bytes += bytes;
    });
  }

  /** `EventStore.dropPayloads`. */
  async dropPayloads(positions: readonly Position[]): Promise<void> {
    await this.#tidy({ drop: positions.map(Number) });
  }

  /** `EventStore.sweepDropped`. */
  sweepDropped(): Promise<boolean> {
    return this.#tidy('sweep');
  }

  /** `EventStore.writable`. */
  writable(): ReturnType<EventStore['writable']> {
    return this.#writable;
  }

  /** Takes no more appends; those waiting are still written. */
  stop(): void {
    this.#closed ??= { code: 'unavailable', detail: 'it was closed' };
    if (this.#writable.ok) this.#writable = { ok: false, cause: 'closed', detail: 'it was closed' };
  }

  /** Stops, lets those waiting finish, and ends the writer's thread. */
  async close(): Promise<void> {
    this.stop();
    this.#flush();
    this.#post('close');
    await this.#exited;
    this.#tell();
  }

  #refuseOverload(bytes: number): void {
    if (this.#waiting.length >= this.#limits.appends) {
      throw new EventStoreError({ code: 'overloaded', waiting: this.#waiting.length, limit: this.#limits.appends, unit: 'appends' });
    }
    if (this.#bytes + bytes > this.#limits.bytes) {
      throw new EventStoreError({ code: 'overloaded', waiting: this.#bytes, limit: this.#limits.bytes, unit: 'bytes' });
    }
  }

  /** After every promise callback that is due, so that callers woken together write together; still without waiting. */
  #flushAfterThisTick(): void {
    queueMicrotask(() => process.nextTick(() => this.#flush()));
  }

  #flush(): void {
    if (this.#thisTick.length === 0) return;
    this.#post(this.#thisTick);
    this.#thisTick = [];
  }

  #post(message: ToWriter): void {
    this.#worker.postMessage(message);
  }

  #noteBreakage(breakage: Breakage | null): void {
    if (breakage !== null && this.#writable.ok) this.#writable = notWritable(breakage);
  }

  #tidy(task: Drop | 'sweep'): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== null) throw new EventStoreError(this.#closed);
      this.#flush();
      this.#tidying.push({ resolve, reject });
      this.#post(task);
    });
  }

  #settleTidying(tidied: boolean | StoreFailure, breakage: Breakage | null): void {
    this.#noteBreakage(breakage);
    const waiting = this.#tidying.shift();
    if (typeof tidied === 'boolean') waiting?.resolve(tidied);
    else waiting?.reject(new EventStoreError(tidied));
  }

  #settle(outcomes: readonly AppendOutcome[], breakage: Breakage | null): void {
    this.#noteBreakage(breakage);
    let newest: Position | null = null;
    const settled = this.#waiting.splice(0, outcomes.length);
    for (const [index, waiting] of settled.entries()) {
      this.#bytes -= waiting.bytes;
      const outcome = outcomes[index];
      if (outcome === undefined) continue;
      if ('code' in outcome) {
        waiting.reject(new EventStoreError(outcome));
        continue;
      }
      if (!outcome.duplicate) newest = outcome.position;
      waiting.resolve(outcome);
    }
    if (newest !== null) this.#tellAfterwards(newest);
  }

  /** Those who waited for the append go on first; then whoever wants to know of it, once for all commits of a turn. */
  #tellAfterwards(newest: Position): void {
    if (this.#untold === null) setImmediate(() => this.#tell());
    this.#untold = newest;
  }

  #tell(): void {
    const newest = this.#untold;
    this.#untold = null;
    if (newest !== null) this.#onAppended(newest);
  }

  #lost(detail: string): void {
    this.#thisTick = [];
    for (const waiting of [...this.#waiting.splice(0), ...this.#tidying.splice(0)]) {
      waiting.reject(new EventStoreError({ code: 'outcome_unknown', detail: `the writer's thread ended: ${detail}` }));
    }
    if (this.#closed !== null) return;
    const words = `the writer's thread ended: ${detail}; restart the program`;
    this.#closed = { code: 'unavailable', detail: words };
    this.#writable = { ok: false, cause: 'io_error', detail: words };
  }
}
