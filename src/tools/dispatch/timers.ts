/** Waits. Passed in, so that tests decide when time is up. */
export interface Timers {
  /**
   * Calls `run` once after `ms` milliseconds unless it was cancelled.
   * @returns cancels it
   */
  after(ms: number, run: () => void): () => void;
}

/** The timers of the process. */
export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
