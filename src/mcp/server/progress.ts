import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { JsonValue } from '../../platform/json.js';

/**
 * Passes the progress of a call on to the client that made it, when it asked for that with a progress token.
 * @param token as the client wrote it
 * @param send on the stream of the call; a client that is gone is told nothing
 */
export function progressOf(token: unknown, send: (notification: ServerNotification) => Promise<void>): (progress: JsonValue) => void {
  if (typeof token !== 'string' && typeof token !== 'number') return () => undefined;
  return (given) => {
    if (typeof given !== 'object' || given === null || !('progress' in given) || typeof given.progress !== 'number') return;
    const { progress, total, message } = given;
    const params = {
      progressToken: token,
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    };
    send({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
