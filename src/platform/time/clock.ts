/** Tells the time. Passed in wherever time matters, so that tests decide what time it is. */
export interface Clock {
  /** Whole milliseconds since the Unix epoch. */
  now(): number;
}

/** The machine's wall clock. It can be set back; whoever needs order must not rely on it. */
export const systemClock: Clock = { now: () => Date.now() };
