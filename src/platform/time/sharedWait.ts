/**
 * Waits for work that others wait for too. The caller's signal ends only this wait, never the work.
 * @returns what the work gives, or what `givenUp` makes when the signal aborts first
 */
export function sharedWait<T>(work: Promise<T>, signal: AbortSignal, givenUp: () => T): Promise<T> {
  if (signal.aborted) return Promise.resolve(givenUp());
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => resolve(givenUp());
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
