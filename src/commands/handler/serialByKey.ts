/** Runs tasks of the same key one after another in the order they came, and tasks of different keys side by side. */
export type SerialByKey = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

/** Makes such an order; keys without work take no memory. */
export function makeSerialByKey(): SerialByKey {
  const tails = new Map<string, Promise<void>>();
  return async (key, task) => {
    const before = tails.get(key);
    const run = before === undefined ? task() : before.then(task);
    const tail = run.then(ignore, ignore);
    tails.set(key, tail);
    try {
      return await run;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}

/** Whoever asked for the task hears of its failure; whoever waits behind it does not care. */
function ignore(): void {
  // Nothing to do.
}
