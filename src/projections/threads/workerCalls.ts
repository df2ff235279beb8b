import type { MessagePort } from 'node:worker_threads';
import { Fault } from '../../platform/fault.js';
import type { Thread } from '../../platform/threads/startThread.js';
import { fromPortable, toPortable, type PortableError } from './portableError.js';

/** What a worker answers: for each name of a call what it takes and gives. */
export type Calls<Names> = { readonly [Name in keyof Names]: { readonly input: unknown; readonly output: unknown } };

interface CallMessage {
  /** Null: nobody waits for an answer. */
  readonly id: number | null;
  readonly name: string;
  readonly input: unknown;
}

type WorkerMessage<Told> =
  | { readonly kind: 'told'; readonly told: Told }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: PortableError };

/** Calls a worker and hears what it tells by itself. */
export class WorkerCalls<C extends Calls<C>, Told> {
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #next = 1;
  #gone: Fault | null = null;

  /**
   * @param onTold hears what the worker tells unasked
   * @param onGone told once when the worker ends without having been closed; every call fails then
   */
  constructor(
    private readonly worker: Thread,
    onTold: (told: Told) => void,
    private readonly onGone: (fault: Fault) => void,
  ) {
    worker.on('message', (message: WorkerMessage<Told>) => {
      if (message.kind === 'told') onTold(message.told);
      else this.#answer(message);
    });
    worker.on('error', (error: Error) => this.#lose(`it failed: ${error.message}`));
    worker.on('exit', (code: number) => this.#lose(`it ended with code ${code}`));
  }

  call<Name extends keyof C & string>(name: Name, input: C[Name]['input']): Promise<C[Name]['output']> {
    return new Promise((resolve, reject) => {
      if (this.#gone !== null) {
        reject(this.#gone);
        return;
      }
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, input } satisfies CallMessage);
    });
  }

  /** Calls without waiting: what comes of it is not told. */
  send<Name extends keyof C & string>(name: Name, input: C[Name]['input']): void {
    this.worker.postMessage({ id: null, name, input } satisfies CallMessage);
  }

  /** Ends the worker; calls still waiting fail. */
  async close(): Promise<void> {
    this.#end(new Fault('failed', 'views_closed', 'The views are closed.'));
    await this.worker.terminate();
  }

  #answer(message: Exclude<WorkerMessage<Told>, { kind: 'told' }>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(fromPortable(message.error));
  }

  #lose(how: string): void {
    if (this.#gone !== null) return;
    const fault = new Fault('failed', 'views_unavailable', `The thread behind the views is gone: ${how}. Restart toolledger; nothing is lost.`);
    this.#end(fault);
    this.onGone(fault);
  }

  #end(fault: Fault): void {
    this.#gone ??= fault;
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }
}

/** Answers calls in a worker, each when it is due. @returns tells the other side something unasked */
export function answerCalls<C extends Calls<C>>(
  port: MessagePort,
  handlers: { readonly [Name in keyof C & string]: (input: C[Name]['input']) => C[Name]['output'] | Promise<C[Name]['output']> },
): (told: unknown) => void {
  const byName = new Map<string, (input: never) => unknown>(Object.entries(handlers));
  const post = (message: WorkerMessage<unknown>): void => port.postMessage(message);
  const answer = async ({ id, name, input }: CallMessage): Promise<void> => {
    try {
      const handler = byName.get(name);
      if (handler === undefined) throw new Fault('failed', 'view_failed', `No call is named ${name}.`);
      const value = await handler(input as never);
      if (id !== null) post({ kind: 'answer', id, value });
    } catch (error) {
      if (id !== null) post({ kind: 'error', id, error: toPortable(error) });
    }
  };
  port.on('message', (message: CallMessage) => void answer(message));
  return (told) => post({ kind: 'told', told });
}
