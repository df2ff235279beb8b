import type { Log } from '../../platform/log.js';

/** Logs why a request over HTTP could not be answered as it should; whoever made it is told no more than that. */
export function requestFailure(log: Pick<Log, 'error'>): (error: unknown) => void {
  return (error) => log.error({ error }, 'a request could not be answered');
}
