import { cappedBody, readStart, tooLarge, type BodyEnd } from './cappedBody.js';
import type { ConnectorPolicy, FetchLimits } from './connectorPolicy.js';
import { guardedAgent } from './guardedAgent.js';
import { judgeDestination } from './addressGate.js';
import type { Resolve } from './guardedLookup.js';
import { NetFault, netFaultIn } from './netFault.js';
import { redirectFault } from './redirectFault.js';
import { startRequest, type RunningRequest } from './requestDeadlines.js';
import { schedule } from '../time/schedule.js';
import { within } from '../time/within.js';
import { judgeUrl, portOf, shownOrigin, type UrlPolicy } from './urlGate.js';
import { watchedDispatcher } from './watchedDispatcher.js';

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
  /**
   * Like `fetch`, confined: no redirect, no cookies, only what the policy lets pass, bounded sizes and times.
   * @throws NetFault for everything that is not a response
   */
  fetch(url: string | URL, init: RequestInit, watch?: RequestWatch): Promise<Response>;
  /** Cuts every connection. */
  close(): Promise<void>;
}

export interface GuardedFetchOptions {
  readonly policy: ConnectorPolicy;
  readonly resolve: Resolve;
  /** Product and version, told to every server. */
  readonly userAgent: string;
}

/** The one way out of the program, for whatever policy. */
export function makeGuardedFetch({ policy, resolve, userAgent }: GuardedFetchOptions): GuardedFetch {
  const { limits, only, reach } = policy;
  const agent = guardedAgent({ judge: (origin, address) => judgeResolved(origin, address, reach), resolve, connectMs: limits.connectMs });

  return {
    close: () => agent.destroy(),
    async fetch(given, init, watch = {}) {
      const url = dialable(String(given), reach);
      if (only !== null && url.origin !== only) {
        throw new NetFault('other_origin', `A request to ${shownOrigin(url)} was refused: only ${only} is registered.`);
      }
      const request = startRequest([init.signal, watch.signal], limits);
      const ended = (end: BodyEnd): void => {
        request.release();
        watch.onBodyEnd?.(end === null ? null : (request.fault() ?? end));
      };
      let problem: unknown = null;
      try {
        const response = await fetch(url, {
          ...init,
          headers: guardedHeaders(init.headers, userAgent, policy.bearer()),
          redirect: 'manual',
          signal: request.signal,
          dispatcher: watchedDispatcher(agent, () => watch.onSent?.(), (error) => (problem = error)),
        } as RequestInit);
        request.headArrived();
        return await judged(response, { url, limits, request, ended });
      } catch (error) {
        const fault = request.fault() ?? netFaultIn(problem) ?? netFaultIn(error) ?? lost(url, error);
        ended(fault);
        throw fault;
      }
    },
  };
}

/**
 * The URL as it is dialled.
 * @throws NetFault `invalid_url` or `blocked_address` when it may not be
 */
export function dialable(text: string, reach: UrlPolicy): URL {
  const verdict = judgeUrl(text, reach);
  if (verdict.ok) return verdict.url;
  const blocked = verdict.code === 'url_address_refused' || verdict.code === 'url_own_listener';
  throw new NetFault(blocked ? 'blocked_address' : 'invalid_url', verdict.message);
}

/** Judges an address that the name in an origin resolves to. */
export function judgeResolved(origin: string, address: string, reach: UrlPolicy): ReturnType<typeof judgeDestination> {
  const verdict = judgeUrl(origin, reach);
  return verdict.ok ? judgeDestination(address, portOf(verdict.url), verdict.destinations) : { allowed: false, reason: 'not_an_address' };
}

function lost({ origin }: URL, error: unknown): NetFault {
  // The web standard keeps fetch away from ports of other protocols; this is all it says then.
  if ((error as { readonly cause?: { readonly message?: unknown } } | null)?.cause?.message === 'bad port') {
    return new NetFault('invalid_url', `The port of ${origin} is reserved for another protocol and is never dialled.`);
  }
  return new NetFault('connection_lost', `${origin} closed the connection without an answer.`, { cause: error });
}

function guardedHeaders(given: RequestInit['headers'], userAgent: string, bearer: string | null): Headers {
  const headers = new Headers(given);
  headers.delete('cookie');
  headers.set('user-agent', userAgent);
  headers.set('accept-encoding', 'identity');
  if (bearer !== null) headers.set('authorization', `Bearer ${bearer}`);
  return headers;
}

interface Judging {
  readonly url: URL;
  readonly limits: FetchLimits;
  readonly request: RunningRequest;
  readonly ended: (end: BodyEnd) => void;
}

async function judged(response: Response, { url, limits, request, ended }: Judging): Promise<Response> {
  const { status, headers, body } = response;
  if (status >= 300 && status < 400) {
    discard(body);
    throw redirectFault(status, headers.get('location'), url);
  }
  if (body === null) {
    ended(null);
    return response;
  }
  if (!response.ok) {
    const text = (await within(readStart(body, limits.errorBodyBytes), limits.errorBodyMs, schedule)) ?? '';
    ended(null);
    return new Response(text, { status, headers: keptHeaders(headers) });
  }
  if (Number(headers.get('content-length') ?? 0) > limits.bodyBytes) {
    discard(body);
    throw tooLarge(limits.bodyBytes);
  }
  return new Response(cappedBody(body, limits.bodyBytes, { ended, firstByte: () => request.firstByteArrived() }), { status, headers: keptHeaders(headers) });
}

/** The body handed on is decoded and perhaps cut, so the headers that describe its bytes no longer hold. */
function keptHeaders(given: Headers): Headers {
  const headers = new Headers(given);
  for (const name of ['content-length', 'content-encoding', 'set-cookie']) headers.delete(name);
  return headers;
}

function discard(body: ReadableStream<Uint8Array> | null): void {
  body?.cancel().catch(() => undefined);
}
