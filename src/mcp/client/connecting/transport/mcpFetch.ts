import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Clock } from '../../../../platform/time/clock.js';
import type { BodyEnd } from '../../../../platform/net/cappedBody.js';
import type { GuardedFetch, RequestWatch } from '../../../../platform/net/guardedFetch.js';
import type { Schedule } from '../../../../platform/time/schedule.js';
import type { Exchange } from '../exchange.js';
import type { Exchanges } from '../exchanges.js';
import type { ClientLimits } from '../../limits.js';
import { NotMcp } from '../../failures/httpFault.js';
import { carriedRequest, eventStream, httpFault, json, kindOf, unwatched, watchOf } from './httpRequest.js';
import { resumeBudget } from './resumeBudget.js';

/** What the fetch of a transport works with. */
export interface FetchParts {
  readonly guarded: GuardedFetch;
  readonly exchanges: Exchanges;
  readonly limits: ClientLimits;
  readonly schedule: Schedule;
  readonly clock: Clock;
}

/**
 * The fetch that Streamable HTTP works with. It ties each HTTP request to the MCP request it carries, so that giving up
 * one ends the other, and a stream that ends without an answer is noticed at once.
 */
export function mcpFetch({ guarded, exchanges, limits, schedule, clock }: FetchParts): FetchLike {
  const budget = resumeBudget(limits.resumesPerMinute, schedule);

  return async (url, init = {}) => {
    if (init.method === 'GET') return resume(url, init);
    // A transport that is closed already may still say goodbye. A server need not support it.
    if (init.method === 'DELETE') return guarded.fetch(url, { ...init, signal: null }, unwatched(limits.notifyMs));
    const request = init.method === 'POST' ? carriedRequest(init.body) : null;
    const exchange = request === null ? undefined : exchanges.byRequestId(request.id);
    const { watch, follow } = exchange === undefined ? { watch: unwatched(limits.notifyMs), follow: () => undefined } : followed(exchange);
    const response = await guarded.fetch(url, init, watch);
    if (response.ok) {
      if (exchange !== undefined) await requireMcp(response);
      follow(kindOf(response));
      return response;
    }
    throw await httpFault(response, init, request?.method === 'initialize', clock.now());
  };

  /** A stream of unasked messages is never opened; one that broke before its answer is picked up, so many times a minute. */
  async function resume(url: string | URL, init: RequestInit): Promise<Response> {
    const notOffered = new Response(null, { status: 405 });
    const eventId = new Headers(init.headers).get('last-event-id');
    const exchange = eventId === null ? undefined : exchanges.byEventId(eventId);
    if (exchange === undefined) return notOffered;
    try {
      await budget.turn(exchange.network.signal);
      const { watch, follow } = followed(exchange);
      const response = await guarded.fetch(url, init, watch);
      if (response.ok && kindOf(response) === eventStream) {
        follow(eventStream);
        return response;
      }
      await response.body?.cancel();
      exchange.fail('connection_lost');
    } catch (error) {
      exchange.fail('connection_lost', error);
    }
    return notOffered;
  }
}

interface Followed {
  readonly watch: RequestWatch;
  /** Starts to mind how the body ends, once it is known to be MCP. */
  readonly follow: (kind: string) => void;
}

function followed(exchange: Exchange): Followed {
  let kind: string | null = null;
  return {
    watch: {
      ...watchOf(exchange),
      onBodyEnd: (end) => {
        exchange.bodyOpen = false;
        // The SDK reads what has already arrived before the event loop turns; only then is an answer missing.
        if (kind !== null) setImmediate(bodyOver, exchange, kind, end);
      },
    },
    follow: (given) => {
      kind = given;
      exchange.bodyOpen = true;
    },
  };
}

function bodyOver(exchange: Exchange, kind: string, end: BodyEnd): void {
  if (exchange.answered) return;
  if (end?.code === 'response_too_large' || exchange.garbled || (end === null && kind === json)) exchange.fail('protocol_error', end);
  else if (exchange.lastEventId === null) exchange.fail('connection_lost', end);
}

async function requireMcp(response: Response): Promise<void> {
  const given = kindOf(response);
  if (response.status === 200 && (given === json || given === eventStream)) return;
  await response.body?.cancel();
  throw new NotMcp(response.status === 200 ? given === '' ? 'content type missing' : `content type \u201c${given}\u201d` : `HTTP ${response.status} without an answer`);
}
