import { EventEmitter } from 'node:events';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { workerFile } from '../installation.js';

/**
 * Where work is done that waits for the disk: `apart`, in a thread of its own, so that who is served meanwhile is not
 * kept waiting; or `here`, where nobody is: a thread costs more to start than a short command does altogether.
 */
export type ThreadPlace = 'apart' | 'here';

/** Work that is asked for by messages and answers by messages, wherever it is done. */
export type ThreadBody<Data> = (port: MessagePort, data: Data) => void;

/** Work that can be done in either place. */
export interface ThreadWork<Data> {
  /** The worker that does it apart; see `workerFile`. */
  readonly file: string;
  /** Loads what does it here. */
  readonly load: () => Promise<ThreadBody<Data>>;
}

/** What is known of a worker from outside, also where there is none: `message`, `error` and `exit`, and a way to ask. */
export type Thread = Pick<Worker, 'postMessage' | 'terminate'> & EventEmitter;

/** @param data what the work is started with; plain data that crosses threads */
export function startThread<Data>({ file, load }: ThreadWork<Data>, data: Data, place: ThreadPlace): Thread {
  return place === 'apart' ? new Worker(workerFile(file), { workerData: data }) : new ThreadHere(load, data);
}

/** A worker's outside over work that is done in this thread. */
class ThreadHere<Data> extends EventEmitter implements Thread {
  readonly #port: MessagePort;

  constructor(load: ThreadWork<Data>['load'], data: Data) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message: unknown) => this.emit('message', message));
    port1.once('close', () => this.emit('exit', 0));
    void this.#run(load, port2, data);
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  async terminate(): Promise<number> {
    this.#port.close();
    return Promise.resolve(0);
  }

  async #run(load: ThreadWork<Data>['load'], port: MessagePort, data: Data): Promise<void> {
    try {
      (await load())(port, data);
    } catch (error) {
      this.emit('error', error);
      port.close();
    }
  }
}
