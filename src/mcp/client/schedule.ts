/** Runs something later, unless it is called off. Passed in, so that tests decide when later is. */
export type Schedule = (ms: number, run: () => void) => () => void;

/** The machine's timers; they do not keep the process alive. */
export const systemSchedule: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};
