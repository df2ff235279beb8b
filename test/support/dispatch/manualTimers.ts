import type { Schedule } from '../../../src/platform/time/schedule.js';

/** Timers that fire when a test says that time passed. */
export interface ManualTimers {
  readonly schedule: Schedule;
  /** Lets `ms` milliseconds pass; timers fire in the order in which they are due. */
  elapse(ms: number): void;
  /** How many timers are waiting. */
  waiting(): number;
  /** Resolves when a timer of exactly `ms` milliseconds is set, or when one is waiting already. */
  set(ms: number): Promise<void>;
}

export function manualTimers(): ManualTimers {
  let now = 0;
  const timers = new Set<{ readonly due: number; readonly ms: number; readonly run: () => void }>();
  const watchers = new Set<{ readonly ms: number; readonly found: () => void }>();
  return {
    schedule(ms, run) {
      const timer = { due: now + ms, ms, run };
      timers.add(timer);
      for (const watcher of watchers) if (watcher.ms === ms) watcher.found();
      return () => timers.delete(timer);
    },
    elapse(ms) {
      now += ms;
      for (const timer of [...timers].sort((a, b) => a.due - b.due)) {
        if (timer.due <= now && timers.delete(timer)) timer.run();
      }
    },
    waiting: () => timers.size,
    set(ms) {
      if ([...timers].some((timer) => timer.ms === ms)) return Promise.resolve();
      return new Promise((resolve) => {
        const watcher = {
          ms,
          found: () => {
            watchers.delete(watcher);
            resolve();
          },
        };
        watchers.add(watcher);
      });
    },
  };
}
