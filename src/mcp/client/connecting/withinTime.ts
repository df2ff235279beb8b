/** An attempt took longer than it may. */
export class TooLate extends Error {
  override readonly name = 'TooLate';

  constructor(readonly ms: number) {
    super(`Not done within ${ms} ms.`);
  }
}

/**
 * Runs work that ends when its signal aborts.
 * @param signal gives it up early
 * @throws TooLate when the time is over, and whatever the work throws
 */
export async function withinTime<T>(ms: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const both = new AbortController();
  const late = new TooLate(ms);
  const onAbort = (): void => both.abort();
  const timer = setTimeout(() => both.abort(late), ms);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) both.abort();
  try {
    return await work(both.signal);
  } catch (error) {
    throw both.signal.reason === late ? late : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
