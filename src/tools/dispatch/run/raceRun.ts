import type { Schedule } from '../../../platform/time/schedule.js';
import { within } from '../../../platform/time/within.js';

/** What a piece of work came to, whenever that was. */
export type Settled<Value> = { readonly kind: 'returned'; readonly value: Value } | { readonly kind: 'threw'; readonly error: unknown };

/** What a run came to within its limits. */
export type RunOutcome<Value> =
  | (Settled<Value> & { readonly afterAbort: boolean })
  /** The time was up; `late` is what the work comes to after all. */
  | { readonly kind: 'timeout'; readonly late: Promise<Settled<Value>> }
  /** The caller gave up and the work did not react in time. */
  | { readonly kind: 'aborted'; readonly late: Promise<Settled<Value>> };

export interface RunLimits {
  readonly timeoutMs: number;
  /** How long work that was told to stop may take to say what it did. */
  readonly graceMs: number;
  /** Aborted by whoever gives up, and by the run itself when its time is up. */
  readonly stop: AbortController;
  readonly schedule: Schedule;
}

/**
 * Runs work until it is done, its time is up or somebody gives up. The work is told to stop through the signal it
 * gets; whether it does is up to it, so what it comes to later is handed out as well. Never throws.
 */
export async function raceRun<Value>(work: (signal: AbortSignal) => Promise<Value> | Value, limits: RunLimits): Promise<RunOutcome<Value>> {
  const settled = settle(() => work(limits.stop.signal));
  const watch = watchLimits(limits);
  const first = await Promise.race([settled, watch.gaveUp]);
  watch.end();
  if (typeof first === 'object') return { afterAbort: false, ...first };
  if (first === 'timeout') {
    limits.stop.abort('timeout');
    return { kind: 'timeout', late: settled };
  }
  const reaction = await within(settled, limits.graceMs, limits.schedule);
  return reaction === null ? { kind: 'aborted', late: settled } : { afterAbort: true, ...reaction };
}

async function settle<Value>(work: () => Promise<Value> | Value): Promise<Settled<Value>> {
  try {
    return { kind: 'returned', value: await work() };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

function watchLimits({ timeoutMs, stop: { signal }, schedule }: RunLimits): { readonly gaveUp: Promise<'timeout' | 'aborted'>; end(): void } {
  let end = (): void => undefined;
  const gaveUp = new Promise<'timeout' | 'aborted'>((resolve) => {
    const cancel = schedule(timeoutMs, () => resolve('timeout'));
    const aborted = (): void => resolve('aborted');
    if (signal.aborted) aborted();
    signal.addEventListener('abort', aborted, { once: true });
    end = () => {
      cancel();
      signal.removeEventListener('abort', aborted);
    };
  });
  return { gaveUp, end: () => end() };
}
