import { Fault } from '../fault.js';

/**
 * Makes sure that `fetch` gives the `Response` of this global scope. What reads its answers asks for that class; another
 * one, as of a `fetch` from a package put in place of Node's, would turn errors of servers into nonsense.
 * @param fetchInUse normally the global one
 * @throws Fault `fetch_replaced`
 */
export async function requireStandardFetch(fetchInUse: typeof fetch): Promise<void> {
  const response: unknown = await fetchInUse('data:,');
  if (response instanceof Response) return;
  throw new Fault('failed', 'fetch_replaced', 'The global fetch was replaced by one whose answers are not of the global class Response. Start toolledger without what replaces it (see NODE_OPTIONS --import and --require).');
}
