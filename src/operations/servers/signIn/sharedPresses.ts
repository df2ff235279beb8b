/** Does what a button asks for. One that is pressed again meanwhile gets what the first press gets. */
export type Pressed = <T>(what: string, work: () => Promise<T>) => Promise<T>;

/** Browsers drop the first answer on a double click and show the second one. */
export function sharedPresses(): Pressed {
  const running = new Map<string, Promise<unknown>>();
  return <T>(what: string, work: () => Promise<T>) => {
    const done = (running.get(what) as Promise<T> | undefined) ?? work().finally(() => running.delete(what));
    running.set(what, done);
    return done;
  };
}
