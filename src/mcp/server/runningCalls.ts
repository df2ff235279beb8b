import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** The calls that run, so that a cancellation, which comes as a request of its own, finds its call. */
export interface RunningCalls {
  /** Runs a call under a signal that aborts with `gone`, or when the call is cancelled by its session and id. */
  run<T>(session: string | null, id: RequestId, gone: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Does nothing when no such call of that session runs. */
  cancel(session: string | null, id: RequestId): void;
}

/**
 * Request ids are only unique within a client, so a call is found by its session too. A client without a session can
 * cancel only by closing the connection.
 */
export function runningCalls(): RunningCalls {
  const controllers = new Map<string, AbortController>();
  const keyOf = (session: string, id: RequestId): string => JSON.stringify([session, id]);
  return {
    run: async (session, id, gone, call) => {
      if (session === null) return call(gone);
      const controller = new AbortController();
      const key = keyOf(session, id);
      controllers.set(key, controller);
      try {
        return await call(AbortSignal.any([gone, controller.signal]));
      } finally {
        if (controllers.get(key) === controller) controllers.delete(key);
      }
    },
    cancel: (session, id) => {
      if (session !== null) controllers.get(keyOf(session, id))?.abort();
    },
  };
}
