import { setMaxListeners } from 'node:events';
import { NetFault } from './netFault.js';

/** How long the stages of a request may take, in milliseconds; each is counted by a timer of its own. */
export interface Deadlines {
  /** From the start of the request to the end of the response's head. */
  readonly headersMs: number;
  /** From there to the first byte of its body. */
  readonly firstByteMs: number;
  /** From the start to the end of the body; null when whoever asks ends it, as with a stream of events. */
  readonly totalMs: number | null;
}

/** A request under way, and all that may end it. */
export interface RunningRequest {
  /** Aborts when a deadline has passed, or one of the given signals aborts. */
  readonly signal: AbortSignal;
  /** Why it was ended; null when it was not. */
  fault(): NetFault | null;
  headArrived(): void;
  firstByteArrived(): void;
  /** It is over: no timer and no listener stays behind. */
  release(): void;
}

/** Starts the timers of one request. Listeners are taken off again, because the signals live longer than it. */
export function startRequest(signals: readonly (AbortSignal | null | undefined)[], { headersMs, firstByteMs, totalMs }: Deadlines): RunningRequest {
  const controller = new AbortController();
  const given = signals.filter((signal) => signal !== null && signal !== undefined);
  let fault: NetFault | null = null;
  const end = (why: NetFault): void => {
    fault ??= why;
    controller.abort(why);
  };
  // The socket keeps the process up as long as there is something to wait for; a body nobody reads must not.
  const endAfter = (ms: number, code: 'header_timeout' | 'body_timeout' | 'total_timeout', what: string): NodeJS.Timeout =>
    setTimeout(() => end(new NetFault(code, `${what} within ${ms} ms.`)), ms).unref();
  const onAbort = (): void => end(new NetFault('aborted', 'The request was given up.'));

  const head = endAfter(headersMs, 'header_timeout', 'No answer');
  const total = totalMs === null ? undefined : endAfter(totalMs, 'total_timeout', 'No whole answer');
  let firstByte: NodeJS.Timeout | undefined;
  for (const signal of given) {
    // Requests that run side by side share the connection's signal: many listeners are no leak here.
    setMaxListeners(0, signal);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  }
  return {
    signal: controller.signal,
    fault: () => fault,
    headArrived: () => {
      clearTimeout(head);
      firstByte = endAfter(firstByteMs, 'body_timeout', 'The answer began and nothing of its body came');
    },
    firstByteArrived: () => clearTimeout(firstByte),
    release: () => {
      for (const timer of [head, firstByte, total]) clearTimeout(timer);
      for (const signal of given) signal.removeEventListener('abort', onAbort);
    },
  };
}
