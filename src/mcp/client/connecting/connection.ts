import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Clock } from '../../../platform/time/clock.js';
import { mcpPolicy, type FetchLimits } from '../../../platform/net/connectorPolicy.js';
import { dialable, makeGuardedFetch } from '../../../platform/net/guardedFetch.js';
import type { Resolve } from '../../../platform/net/guardedLookup.js';
import type { UrlPolicy } from '../../../platform/net/urlGate.js';
import { schedule, type Schedule } from '../../../platform/time/schedule.js';
import { Exchange, type ExchangeEnd } from './exchange.js';
import { Exchanges } from './exchanges.js';
import type { ClientLimits } from '../limits.js';
import type { ServerTarget } from './account.js';
import { authorizedFetch } from './transport/authorizedFetch.js';
import { legacySse } from './transport/legacySse.js';
import { streamableHttp } from './transport/streamableHttp.js';
import { watchMessages } from './transport/watchMessages.js';
import type { TransportKind } from './transport/wire.js';
import { within } from '../../../platform/time/within.js';

export interface ConnectionOptions {
  readonly target: ServerTarget;
  readonly reach: UrlPolicy;
  readonly transport: TransportKind;
  readonly resolve: Resolve;
  readonly schedule: Schedule;
  readonly clock: Clock;
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
  /** Whether new work should go over it; otherwise a fresh connection is due. */
  fresh(): boolean;
  /** Takes no part in new work; closes when the last request under way has ended. Resolves when it is closed. */
  retire(): Promise<void>;
  /** Ends all requests under way and closes. */
  close(): Promise<void>;
}

/** After an answer its stream may still be open; it gets this long to end by itself, so that its socket can be used again. */
const streamGraceMs = 1_000;

const wires = { streamable_http: streamableHttp, legacy_sse: legacySse } as const;

/**
 * Connects and shakes hands, with no capabilities of our own.
 * @param signal gives the attempt up
 * @throws NetFault when the URL is refused; RequestFault when there is no MCP server to talk to
 */
export async function openConnection(options: ConnectionOptions, signal: AbortSignal): Promise<Connection> {
  const { target, reach, limits, version } = options;
  const { token, account } = target;
  const url = dialable(target.url, reach);
  const policy = mcpPolicy({ origin: url.origin, token: () => account?.token() ?? token, reach, limits: fetchLimits(options) });
  const confined = makeGuardedFetch({ policy, resolve: options.resolve, userAgent: `toolledger/${version}` });
  const guarded = account === undefined ? confined : authorizedFetch(confined, account);
  const exchanges = new Exchanges();
  const wire = wires[options.transport](url, { ...options, guarded, exchanges });
  const { flushed } = watchMessages(wire.transport, exchanges);
  const client = new Client({ name: 'toolledger', version }, { capabilities: {} });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.onToolsChanged());

  let closing: Promise<void> | null = null;
  let retiring: Promise<void> | null = null;

  function close(): Promise<void> {
    closing ??= shut();
    return closing;
  }

  async function shut(): Promise<void> {
    exchanges.failAll('connection_lost');
    // Whether it listens to our last words does not matter.
    await within(flushed().then(() => wire.goodbye()).catch(() => undefined), limits.goodbyeMs, schedule);
    await client.close();
    await guarded.close();
  }

  /** Runs `work`, which starts exactly one request, as an exchange. */
  async function during<T>(exchange: Exchange, giveUp: RequestOptions, work: () => Promise<T>): Promise<T> {
    if (giveUp.signal.aborted) throw new RequestFault(false, 'cancelled', null);
    const onAbort = () => exchange.fail('cancelled');
    const timer = setTimeout(() => exchange.fail('timeout'), giveUp.timeoutMs);
    giveUp.signal.addEventListener('abort', onAbort, { once: true });
    exchanges.start(exchange);
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
    exchanges.settle(exchange);
    if (exchange.bodyOpen) setTimeout(() => exchange.network.abort(), streamGraceMs).unref();
  }

  try {
    await during(new Exchange(), { timeoutMs: limits.connectMs, signal }, () => client.connect(wire.transport, { timeout: limits.connectMs * 2 }));
  } catch (error) {
    // The server may have opened a session before it failed.
    await close();
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
      retiring ??= exchanges.idle().then(close);
      return retiring;
    },
    // One whose account is over brings only refusals.
    fresh: () => wire.fresh() && account?.token() !== null,
    close,
  };
}

/** The one stream of the legacy transport may already have brought so much when the largest response begins. */
function fetchLimits({ transport, limits: { fetch, legacyStreamBytes } }: ConnectionOptions): FetchLimits {
  return transport === 'legacy_sse' ? { ...fetch, bodyBytes: fetch.bodyBytes + legacyStreamBytes } : fetch;
}

/** Rejects when the exchange is given up, whatever the SDK makes of it. */
function ended(exchange: Exchange): Promise<never> {
  return new Promise((_, reject) => {
    exchange.network.signal.addEventListener('abort', () => reject(new Error('given up')), { once: true });
  });
}
