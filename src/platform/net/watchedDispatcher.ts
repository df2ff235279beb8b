import type { Dispatcher } from 'undici';

/**
 * What Node's own `fetch` hands to its dispatcher, as far as it is used here. It is made for one request and keeps its
 * state in itself, so it is changed in place.
 */
interface FetchHandler {
  onConnect(abort: (reason?: Error) => void): void;
  onError(error: Error): void;
}

/**
 * The agent, telling when it begins to write a request, and what really went wrong: `fetch` makes a new error of what
 * it does not take for one.
 */
export function watchedDispatcher(agent: Dispatcher, onSent: () => void, onError: (error: Error) => void): Pick<Dispatcher, 'dispatch'> {
  return {
    dispatch(options, handler) {
      const own = handler as FetchHandler;
      const connected = own.onConnect.bind(own);
      const failed = own.onError.bind(own);
      own.onConnect = (abort) => {
        onSent();
        connected(abort);
      };
      own.onError = (error) => {
        onError(error);
        failed(error);
      };
      return agent.dispatch(options, handler);
    },
  };
}
