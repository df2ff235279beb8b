import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A JSON-RPC message as it came in, with the HTTP request around it. */
export interface Incoming {
  readonly httpMethod: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: unknown;
  readonly method: string | undefined;
  readonly params: { readonly [key: string]: unknown };
}

/** Answers one message; returns `true` when it did, anything else lets the well-behaved answer follow. */
export type Behaviour = (message: Incoming, response: ServerResponse) => boolean;

export interface HostileMcpServer {
  readonly url: string;
  readonly origin: string;
  /** Everything that came in, in order. */
  readonly seen: readonly Incoming[];
  /** How it behaves from now on. */
  behave(behaviour: Behaviour): void;
  /** Resolves when so many messages with this method of MCP, or of HTTP, are in, with the last of them. */
  received(method: string, times?: number): Promise<Incoming>;
  stop(): Promise<void>;
}

/** The well-behaved server's one tool. */
export const plainTool = { name: 'plain', description: 'Does nothing.', inputSchema: { type: 'object', properties: {} } };

/** An MCP server over Streamable HTTP that behaves itself until told otherwise. */
export async function startHostileMcpServer(): Promise<HostileMcpServer> {
  let behaviour: Behaviour = () => false;
  const seen: Incoming[] = [];
  let waiting: { readonly method: string; readonly times: number; readonly resolve: (message: Incoming) => void }[] = [];
  const nth = (method: string, times: number) => seen.filter((message) => message.method === method || message.httpMethod === method)[times - 1];

  const http = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const message = readMessage(request, body);
      seen.push(message);
      waiting = waiting.filter(({ method, times, resolve }) => {
        const last = nth(method, times);
        if (last !== undefined) resolve(last);
        return last === undefined;
      });
      if (!behaviour(message, response)) behaveWell(message, response);
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  return {
    url: `${origin}/mcp`,
    origin,
    seen,
    behave(next) {
      behaviour = next;
    },
    received: (method, times = 1) => {
      const already = nth(method, times);
      return already === undefined ? new Promise((resolve) => waiting.push({ method, times, resolve })) : Promise.resolve(already);
    },
    async stop() {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
}

/** Answers with a JSON body. */
export function reply(response: ServerResponse, body: unknown, status = 200, headers: { readonly [name: string]: string } = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
  return true;
}

/** Answers a request with a result. */
export function replyResult(response: ServerResponse, { id }: Incoming, result: unknown): true {
  return reply(response, { jsonrpc: '2.0', id, result });
}

/** A server that lists these tools, on one page. */
export function listing(...tools: readonly unknown[]): Behaviour {
  return (message, response) => message.method === 'tools/list' && replyResult(response, message, { tools });
}

/** Behaves in a given way for one JSON-RPC method. */
export function on(method: string, answer: (message: Incoming, response: ServerResponse) => unknown): Behaviour {
  return (message, response) => {
    if (message.method !== method) return false;
    answer(message, response);
    return true;
  };
}

/** What a well-behaved server answers to a request; null for what needs no answer. */
export function goodResult({ method }: Incoming): unknown {
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'hostile', version: '1' } };
  if (method === 'tools/list') return { tools: [plainTool] };
  return method === 'tools/call' ? { content: [{ type: 'text', text: 'done' }] } : null;
}

function behaveWell(message: Incoming, response: ServerResponse): void {
  const result = goodResult(message);
  if (message.httpMethod !== 'POST') {
    response.writeHead(message.httpMethod === 'DELETE' ? 200 : 405).end();
  } else if (result === null) {
    response.writeHead(202).end();
  } else {
    const session = message.method === 'initialize' ? { 'mcp-session-id': 'session-1' } : {};
    reply(response, { jsonrpc: '2.0', id: message.id, result }, 200, session);
  }
}

function readMessage({ method: httpMethod = '', url: path = '', headers }: IncomingMessage, body: string): Incoming {
  const message = (body === '' ? {} : JSON.parse(body)) as { readonly id?: unknown; readonly method?: string; readonly params?: { readonly [key: string]: unknown } };
  return { httpMethod, path, headers, id: message.id, method: message.method, params: message.params ?? {} };
}
