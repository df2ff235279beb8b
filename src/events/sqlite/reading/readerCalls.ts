import type { Thread } from '../../../platform/threads/startThread.js';
import { EventStoreError, type StoreFailure } from '../../storeError.js';
import type { FromReader, ReadCall, ReadResult, ToReader } from './readerMessages.js';

interface Waiting {
  readonly resolve: (result: ReadResult) => void;
  readonly reject: (error: EventStoreError) => void;
}

/** The caller's end of the reader's thread: one answer a call, in order. */
export class ReaderCalls {
  readonly #worker: Thread;
  readonly #waiting: Waiting[] = [];
  readonly #exited: Promise<void>;
  /** Settles when the file is open, or throws why it could not be opened. */
  readonly opened: Promise<ReadResult>;
  #closed: StoreFailure | null = null;

  /** @param worker a reader's thread that has just been started */
  constructor(worker: Thread) {
    this.#worker = worker;
    this.opened = this.#nextAnswer();
    let crash = 'it stopped by itself';
    worker.on('message', (answer: FromReader) => {
      const waiting = this.#waiting.shift();
      if ('failure' in answer) waiting?.reject(new EventStoreError(answer.failure));
      else waiting?.resolve(answer.result);
    });
    worker.on('error', (error: Error) => {
      crash = error.message;
    });
    this.#exited = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#closed ??= { code: 'unavailable', detail: `the reader's thread ended: ${crash}; restart the program` };
        const lost = new EventStoreError(this.#closed);
        for (const waiting of this.#waiting.splice(0)) waiting.reject(lost);
        resolve();
      });
    });
  }

  /** @throws EventStoreError what the read met, or `unavailable` once closed or lost */
  async call(read: ReadCall): Promise<ReadResult> {
    if (this.#closed !== null) throw new EventStoreError(this.#closed);
    const answer = this.#nextAnswer();
    this.#post(read);
    return answer;
  }

  /** Lets waiting reads finish and ends the thread. */
  async close(): Promise<void> {
    if (this.#closed === null) {
      this.#closed = { code: 'unavailable', detail: 'it was closed' };
      this.#post('close');
    }
    await this.#exited;
  }

  #nextAnswer(): Promise<ReadResult> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #post(message: ToReader): void {
    this.#worker.postMessage(message);
  }
}
