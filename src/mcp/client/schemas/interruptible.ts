import { createContext, Script } from 'node:vm';

/** What the script below calls; set only while it runs. */
const globals = createContext({ work: (): unknown => undefined }) as { work: () => unknown };
const script = new Script('work()');

/** What a piece of work gave, or that its time was up. */
export type Timed<Value> = { readonly done: true; readonly value: Value } | { readonly done: false };

/**
 * Runs synchronous work that somebody else may have made slow, and stops it when its time is up: also inside a regular
 * expression that backtracks for ever, which nothing else on this thread could stop.
 * @param ms wall-clock milliseconds
 * @throws what the work throws
 */
export function interruptibly<Value>(ms: number, work: () => Value): Timed<Value> {
  let value: Value | undefined;
  globals.work = () => {
    value = work();
  };
  try {
    script.runInContext(globals, { timeout: ms });
    return { done: true, value: value as Value };
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { done: false };
    throw error;
  } finally {
    globals.work = () => undefined;
  }
}
