import type { Schedule } from './schedule.js';

/** What a promise came to within a time, or null when the time was up first. */
export async function within<Value>(promise: Promise<Value>, ms: number, schedule: Schedule): Promise<Value | null> {
  let cancel = (): void => undefined;
  const late = new Promise<null>((resolve) => {
    cancel = schedule(ms, () => resolve(null));
  });
  const first = await Promise.race([promise, late]);
  cancel();
  return first;
}
