import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import { cappedBody, readStart, tooLarge, type BodyEnd } from './cappedBody.js';
import { guardedAgent } from './guardedAgent.js';
import type { Resolve } from './guardedLookup.js';
import { NetFault, netFaultIn } from './netFault.js';
import { judgeUrl, shownOrigin, type UrlPolicy } from './urlGate.js';

/** Bounds of one request; times in milliseconds, sizes in bytes. */
export interface FetchLimits {
  /** Resolving, TCP and TLS. */
  readonly connectMs: number;
  /** From the start of the request to the end of the response's head. */
  readonly headersMs: number;
  /** How long a refused request's explanation is waited for. */
  readonly errorBodyMs: number;
  /** Decoded bytes of one response, an event stream over its whole life. */
  readonly bodyBytes: number;
  /** How much of a refused request's explanation is read. */
  readonly errorBodyBytes: number;
}

export interface GuardedFetchOptions {
  /** The registered URL: only its origin is ever talked to. */
  readonly url: string;
  readonly policy: UrlPolicy;
  readonly resolve: Resolve;
  /** Sent as a bearer token, to the registered origin only. Visible ASCII. */
  readonly bearer: string | null;
  readonly limits: FetchLimits;
}

/** What a request tells about itself while it runs. */
export interface RequestWatch {
  /** Ends the request at once, also while its body is read. */
  readonly signal?: AbortSignal;
  /** Called just before the first byte may leave; a request that never calls it was provably not sent. */
  readonly onSent?: () => void;
  /** Called once when the response body is over. */
  readonly onBodyEnd?: (end: BodyEnd) => void;
}

export interface GuardedFetch {
  /** The registered URL as it was judged. */
  readonly url: URL;
  /**
   * Like `fetch`, confined: no redirect, no other origin, only judged addresses, bounded sizes and times.
   * @throws NetFault for everything that is not a response
   */
  fetch(url: string | URL, init: RequestInit, watch?: RequestWatch): Promise<Response>;
  /** Cuts every connection. */
  close(): Promise<void>;
}

/**
 * Makes a fetch for one registered URL.
 * @throws NetFault `invalid_url` or `blocked_address` when the URL itself is refused
 */
export function makeGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { limits, bearer } = options;
  const verdict = judgeUrl(options.url, options.policy);
  if (!verdict.ok) throw new NetFault(verdict.code === 'url_address_refused' ? 'blocked_address' : 'invalid_url', verdict.message);
  const base = verdict.url;
  const agent = guardedAgent({ policy: options.policy, resolve: options.resolve, connectMs: limits.connectMs });

  return {
    url: base,
    close: () => agent.destroy(),
    async fetch(url, init, watch = {}) {
      if (new URL(url).origin !== base.origin) {
        throw new NetFault('other_origin', `A request to ${shownOrigin(new URL(url))} was refused: only ${base.origin} is registered.`);
      }
      const request = startRequest([init.signal, watch.signal], limits.headersMs);
      const ended = (end: BodyEnd) => {
        request.release();
        watch.onBodyEnd?.(end);
      };
      let problem: unknown = null;
      try {
        const response = await fetch(url, {
          ...init,
          headers: guardedHeaders(init.headers, bearer),
          redirect: 'manual',
          signal: request.signal,
          dispatcher: watchedDispatcher(agent, () => watch.onSent?.(), (error) => (problem = error)),
        } as RequestInit);
        request.headArrived();
        return await judged(response, limits, ended);
      } catch (error) {
        const fault = request.fault() ?? netFaultIn(problem) ?? netFaultIn(error) ?? lost(base, error);
        ended(fault);
        throw fault;
      }
    },
  };
}

function lost(base: URL, error: unknown): NetFault {
  // The web standard keeps fetch away from ports of other protocols; this is all it says then.
  if ((error as { readonly cause?: { readonly message?: unknown } } | null)?.cause?.message === 'bad port') {
    return new NetFault('invalid_url', `The port of ${base.origin} is reserved for another protocol and is never dialled.`);
  }
  return new NetFault('connection_lost', `${base.origin} closed the connection without an answer.`, { cause: error });
}

function guardedHeaders(given: RequestInit['headers'], bearer: string | null): Headers {
  const headers = new Headers(given);
  headers.set('accept-encoding', 'identity');
  if (bearer !== null) headers.set('authorization', `Bearer ${bearer}`);
  return headers;
}

async function judged(response: Response, limits: FetchLimits, ended: (end: BodyEnd) => void): Promise<Response> {
  const { status, headers, body } = response;
  if (status >= 300 && status < 400) {
    discard(body);
    throw new NetFault('redirect_refused', `The server answered with a redirect (HTTP ${status}), which is not followed. Register the final address.`);
  }
  if (body === null) {
    ended(null);
    return response;
  }
  if (!response.ok) {
    const text = await within(limits.errorBodyMs, readStart(body, limits.errorBodyBytes));
    ended(null);
    return new Response(text, { status, headers: withoutFraming(headers) });
  }
  if (Number(headers.get('content-length') ?? 0) > limits.bodyBytes) {
    discard(body);
    throw tooLarge(limits.bodyBytes);
  }
  return new Response(cappedBody(body, limits.bodyBytes, ended), { status, headers: withoutFraming(headers) });
}

/** The body handed on is decoded and perhaps cut, so the headers that describe its bytes no longer hold. */
function withoutFraming(given: Headers): Headers {
  const headers = new Headers(given);
  headers.delete('content-length');
  headers.delete('content-encoding');
  return headers;
}

function discard(body: ReadableStream<Uint8Array> | null): void {
  body?.cancel().catch(() => undefined);
}

async function within(ms: number, text: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(''), ms);
  });
  return Promise.race([text, late]).finally(() => clearTimeout(timer));
}

/** One controller for all that may end a request; listeners are taken off again, the signals live longer than it. */
function startRequest(signals: readonly (AbortSignal | null | undefined)[], headersMs: number) {
  const controller = new AbortController();
  const given = signals.filter((signal) => signal !== null && signal !== undefined);
  let fault: NetFault | null = null;
  const end = (why: NetFault) => {
    fault ??= why;
    controller.abort(why);
  };
  const onAbort = () => end(new NetFault('aborted', 'The request was given up.'));
  const timer = setTimeout(() => end(new NetFault('header_timeout', `No answer within ${headersMs} ms.`)), headersMs);
  for (const signal of given) {
    // Requests that run side by side share the connection's signal: many listeners are no leak here.
    setMaxListeners(0, signal);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  }
  return {
    signal: controller.signal,
    fault: () => fault,
    headArrived: () => clearTimeout(timer),
    release: () => {
      clearTimeout(timer);
      for (const signal of given) signal.removeEventListener('abort', onAbort);
    },
  };
}

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
function watchedDispatcher(agent: Dispatcher, onSent: () => void, onError: (error: Error) => void): Pick<Dispatcher, 'dispatch'> {
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
