import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { BodyEnd } from '../../../platform/net/cappedBody.js';
import type { GuardedFetch, RequestWatch } from '../../../platform/net/guardedFetch.js';
import type { Exchange } from './exchange.js';
import type { ClientLimits } from '../limits.js';
import { HttpFault, NotMcp, rpcErrorIn } from '../failures/httpFault.js';

/** The requests under way on one connection. */
export interface Exchanges {
  byRequestId(id: unknown): Exchange | undefined;
  byEventId(eventId: string): Exchange | undefined;
  readonly limits: Pick<ClientLimits, 'resumes' | 'notifyMs'>;
}

const json = 'application/json';
const eventStream = 'text/event-stream';

/**
 * The fetch the SDK's transport works with. It ties each HTTP request to the MCP request it carries, so that giving up
 * one ends the other, and a stream that ends without an answer is noticed at once.
 */
export function mcpFetch(guarded: GuardedFetch, exchanges: Exchanges): FetchLike {
  return async (url, init = {}) => {
    if (init.method === 'GET') return resume(url, init);
    const exchange = init.method === 'POST' ? exchanges.byRequestId(requestId(init.body)) : undefined;
    const { watch, follow } = exchange === undefined ? unwatched(exchanges.limits.notifyMs) : watchOf(exchange);
    const response = await guarded.fetch(url, init, watch);
    if (response.ok) {
      if (exchange !== undefined) await requireMcp(response);
      follow(kind(response));
      return response;
    }
    // A server need not support ending a session.
    if (init.method === 'DELETE') return response;
    throw await httpFault(response, init);
  };

  /** A stream of unasked messages is never opened; one that broke before its answer is picked up a few times. */
  async function resume(url: string | URL, init: RequestInit): Promise<Response> {
    const notOffered = new Response(null, { status: 405 });
    const eventId = new Headers(init.headers).get('last-event-id');
    const exchange = eventId === null ? undefined : exchanges.byEventId(eventId);
    if (exchange === undefined) return notOffered;
    exchange.resumes += 1;
    if (exchange.resumes > exchanges.limits.resumes) {
      exchange.fail('connection_lost');
      return notOffered;
    }
    try {
      const { watch, follow } = watchOf(exchange);
      const response = await guarded.fetch(url, init, watch);
      if (response.ok && kind(response) === eventStream) {
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

interface Watched {
  readonly watch: RequestWatch;
  readonly follow: (kind: string) => void;
}

/** Nobody waits for what carries no request, so it ends by itself. */
function unwatched(ms: number): Watched {
  return { watch: { signal: AbortSignal.timeout(ms) }, follow: () => undefined };
}

/** Watches the HTTP request of an exchange; `follow` starts to mind how its body ends, once it is known to be MCP. */
function watchOf(exchange: Exchange): Watched {
  let followed: string | null = null;
  const watch: RequestWatch = {
    signal: exchange.network.signal,
    onSent: () => {
      exchange.sent = true;
    },
    onBodyEnd: (end) => {
      exchange.bodyOpen = false;
      // The SDK reads what has already arrived before the event loop turns; only then is an answer missing.
      if (followed !== null) setImmediate(bodyOver, exchange, followed, end);
    },
  };
  return {
    watch,
    follow: (kind) => {
      followed = kind;
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
  const given = kind(response);
  if (response.status === 200 && (given === json || given === eventStream)) return;
  await response.body?.cancel();
  throw new NotMcp(response.status === 200 ? `content type ${given === '' ? 'missing' : given}` : `HTTP ${response.status} without an answer`);
}

async function httpFault(response: Response, init: RequestInit): Promise<HttpFault> {
  const body = await response.text();
  const rpc = rpcErrorIn(body);
  return new HttpFault(response.status, rpc?.message ?? '', rpc?.code ?? null, new Headers(init.headers).has('mcp-session-id'));
}

function kind(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The id of the JSON-RPC request in a body the SDK wrote; undefined for notifications and responses. */
function requestId(body: RequestInit['body']): unknown {
  if (typeof body !== 'string') return undefined;
  const message = JSON.parse(body) as { readonly id?: unknown; readonly method?: unknown };
  return message.method === undefined ? undefined : message.id;
}
