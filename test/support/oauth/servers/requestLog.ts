import type { Endpoint, OAuthRequest } from './oauthRequest.js';

/** What came in, by endpoint and in order. */
export interface RequestLog {
  add(request: OAuthRequest): void;
  readonly requests: (endpoint: Endpoint) => readonly OAuthRequest[];
  /** Resolves when so many requests came in at an endpoint, with the last of them. */
  readonly received: (endpoint: Endpoint, times?: number) => Promise<OAuthRequest>;
}

export function newRequestLog(): RequestLog {
  const log: OAuthRequest[] = [];
  let waiting: { readonly endpoint: Endpoint; readonly times: number; readonly resolve: (request: OAuthRequest) => void }[] = [];
  const requests = (endpoint: Endpoint) => log.filter((request) => request.endpoint === endpoint);
  return {
    add(request) {
      log.push(request);
      waiting = waiting.filter(({ endpoint, times, resolve }) => {
        const last = requests(endpoint)[times - 1];
        if (last !== undefined) resolve(last);
        return last === undefined;
      });
    },
    requests,
    received(endpoint, times = 1) {
      const already = requests(endpoint)[times - 1];
      return already === undefined ? new Promise((resolve) => waiting.push({ endpoint, times, resolve })) : Promise.resolve(already);
    },
  };
}
