import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Resolve } from '../../../platform/net/guardedLookup.js';
import { makeGuardedFetch } from '../../../platform/net/guardedFetch.js';
import type { UrlPolicy } from '../../../platform/net/urlGate.js';
import { Exchange, type ExchangeEnd } from './exchange.js';
import type { ClientLimits } from '../limits.js';
import { mcpFetch } from './mcpFetch.js';
import { WatchedTransport } from './watchedTransport.js';

export interface ConnectionOptions {
  readonly url: string;
  /** Bearer token, visible ASCII; null when the server asks for none. */
  readonly token: string | null;
  readonly policy: UrlPolicy;
  readonly resolve: Resolve;
  readonly limits: ClientLimits;
  /** Our own version, told to the server. */
  readonly version: string;
  /** The server says that its tools are no longer the ones it listed. */
  readonly onToolsChanged: () => void;
}

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes what the server says of how far it is; it never prolongs the time. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Thrown when a request brought no result. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';

  /**
   * @param sent whether anything may have left this machine
   * @param end how we gave it up; null when the server or the network ended it, and `cause` says how
   */
  constructor(
    readonly sent: boolean,
    readonly end: ExchangeEnd | null,
    cause: unknown,
  ) {
    super('The request brought no result.', { cause });
  }
}

/** A live connection to one MCP server. */
export interface Connection {
  /** What the server said in the handshake of how to use it. */
  readonly instructions: unknown;
  /**
   * One request, sent once and never again.
   * @returns the result as the server wrote it
   * @throws RequestFault
   */
  request(method: string, params: { readonly [key: string]: unknown }, options: RequestOptions): Promise<unknown>;
  /** Takes no part in new work; closes when the last request under way has ended. Resolves when it is closed. */
  retire(): Promise<void>;
  /** Ends all requests under way and closes. */
  close(): Promise<void>;
}

/** After an answer its stream may still be open; it gets this long to end by itself, so that its socket can be used again. */
const streamGraceMs = 1_000;

/**
 * Connects and shakes hands, with no capabilities of our own.
 * @param signal gives the attempt up
 * @throws NetFault when the URL is refused; RequestFault when there is no MCP server to talk to
 */
export async function openConnection(options: ConnectionOptions, signal: AbortSignal): Promise<Connection> {
  const { limits } = options;
  const guarded = makeGuardedFetch({ ...options, bearer: options.token, limits: limits.fetch });
  /** By the id the SDK gave the request; some servers send it back as a string. */
  const exchanges = new Map<number, Exchange>();
  let starting: Exchange | null = new Exchange();

  const transport = new WatchedTransport(
    guarded.url,
    {
      fetch: mcpFetch(guarded, {
        byRequestId: (id) => exchanges.get(Number(id)),
        byEventId: (eventId) => [...exchanges.values()].find((exchange) => exchange.lastEventId === eventId),
        limits,
      }),
      reconnectionOptions: { initialReconnectionDelay: 500, maxReconnectionDelay: 5_000, reconnectionDelayGrowFactor: 2, maxRetries: limits.resumes },
    },
    (id) => {
      if (starting !== null) exchanges.set(Number(id), starting);
      starting = null;
    },
  );
  transport.onmessage = (message) => {
    const exchange = 'id' in message && !('method' in message) ? exchanges.get(Number(message.id)) : undefined;
    if (exchange !== undefined) exchange.answered = true;
  };
  transport.onerror = (error) => {
    if (error.name !== 'ZodError' && error.name !== 'SyntaxError' && !(error instanceof z.ZodError)) return;
    for (const exchange of exchanges.values()) exchange.garbled = true;
  };
  const client = new Client({ name: 'toolledger', version: options.version }, { capabilities: {} });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.onToolsChanged());

  let closing: Promise<void> | null = null;
  let retiring: Promise<void> | null = null;
  /** Set once the connection is retired: resolves when the last request under way has ended. */
  let idle: (() => void) | null = null;

  function close(): Promise<void> {
    closing ??= shut();
    return closing;
  }

  async function whenIdle(): Promise<void> {
    if (exchanges.size === 0) return;
    await new Promise<void>((resolve) => {
      idle = resolve;
    });
  }

  async function shut(): Promise<void> {
    for (const exchange of [...exchanges.values()]) exchange.fail('connection_lost');
    await goodbye(transport, limits.goodbyeMs);
    await client.close();
    await guarded.close();
  }

  /** Runs `work`, which starts exactly one request, as an exchange. */
  async function during<T>(exchange: Exchange, giveUp: RequestOptions, work: () => Promise<T>): Promise<T> {
    if (giveUp.signal.aborted) throw new RequestFault(false, 'cancelled', null);
    const onAbort = () => exchange.fail('cancelled');
    const timer = setTimeout(() => exchange.fail('timeout'), giveUp.timeoutMs);
    giveUp.signal.addEventListener('abort', onAbort, { once: true });
    starting = exchange;
    try {
      return await Promise.race([work(), ended(exchange)]);
    } catch (error) {
      throw new RequestFault(exchange.sent, exchange.end, exchange.end === null ? error : exchange.problem);
    } finally {
      clearTimeout(timer);
      giveUp.signal.removeEventListener('abort', onAbort);
      settle(exchange);
    }
  }

  function settle(exchange: Exchange): void {
    exchange.settled = true;
    for (const [id, known] of exchanges) if (known === exchange) exchanges.delete(id);
    if (exchange.bodyOpen) setTimeout(() => exchange.network.abort(), streamGraceMs).unref();
    if (exchanges.size === 0) idle?.();
  }

  try {
    await during(starting, { timeoutMs: limits.connectMs, signal }, () =>
      client.connect(transport as Transport, { timeout: limits.connectMs * 2 }),
    );
  } catch (error) {
    await client.close();
    await guarded.close();
    throw error;
  }

  return {
    instructions: client.getInstructions(),
    request(method, params, giveUp) {
      const exchange = new Exchange();
      return during(exchange, giveUp, () =>
        client.request({ method, params }, z.unknown(), {
          signal: exchange.answer.signal,
          // Ours fires first and knows why.
          timeout: giveUp.timeoutMs * 2,
          ...(giveUp.onProgress !== undefined && { onprogress: giveUp.onProgress }),
          onresumptiontoken: (token) => {
            exchange.lastEventId = token;
          },
        }),
      );
    },
    retire() {
      retiring ??= whenIdle().then(close);
      return retiring;
    },
    close,
  };
}

/** Rejects when the exchange is given up, whatever the SDK makes of it. */
function ended(exchange: Exchange): Promise<never> {
  return new Promise((_, reject) => {
    exchange.network.signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
  });
}

/** Tells the server that the session is over; whether it listens does not matter. */
async function goodbye(transport: WatchedTransport, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}
