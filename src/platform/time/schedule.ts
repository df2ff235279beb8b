/**
 * Runs something once after `ms` milliseconds, unless it is called off. Passed in, so that tests decide when time is up.
 * @returns calls it off
 */
export type Schedule = (ms: number, run: () => void) => () => void;

/** The machine's timers: something waits for what is scheduled, so the process stays. */
export const schedule: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** The machine's timers for housekeeping: the process may end before. */
export const scheduleInBackground: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};
