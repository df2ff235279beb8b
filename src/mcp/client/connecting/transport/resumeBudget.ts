import type { Schedule } from '../../../../platform/time/schedule.js';

/** The time after which a place is free again, in milliseconds. */
const windowMs = 60_000;

/** Lets so many things a minute pass, and the others wait for their turn. */
export interface ResumeBudget {
  /** Resolves when it is the caller's turn; rejects when the signal aborts before. */
  turn(signal: AbortSignal): Promise<void>;
}

/** @param perMinute how many pass in any 60 seconds */
export function resumeBudget(perMinute: number, schedule: Schedule): ResumeBudget {
  let free = perMinute;
  const waiting: (() => void)[] = [];

  function pass(): void {
    free -= 1;
    schedule(windowMs, () => {
      free += 1;
      waiting.shift()?.();
    });
  }

  return {
    async turn(signal) {
      while (free === 0) await next(waiting, signal);
      signal.throwIfAborted();
      pass();
    },
  };
}

function next(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = (): void => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(signal.reason as Error);
    };
    signal.throwIfAborted();
    waiting.push(go);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}
