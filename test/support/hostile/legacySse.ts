import type { ServerResponse } from 'node:http';
import { goodResult, reply, type Behaviour, type Incoming } from '../hostileMcpServer.js';

/** How a server of the legacy transport behaves; what is left out it does well. */
export interface LegacySseMode {
  /** What it answers to the handshake of Streamable HTTP. */
  readonly refusal?: number;
  /** What it names as the endpoint for requests; null never names one. */
  readonly endpoint?: string | null;
  /** Instead of the good answer to a request; `stream` is where answers go. */
  readonly answer?: (message: Incoming, stream: ServerResponse, response: ServerResponse) => boolean;
}

/** A server that speaks HTTP with SSE, the transport of 2024-11-05, and nothing else. */
export function legacySse({ refusal = 405, endpoint = '/messages?session=1', answer = () => false }: LegacySseMode = {}): Behaviour {
  let stream: ServerResponse | null = null;
  return (message, response) => {
    if (message.httpMethod === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.flushHeaders();
      if (endpoint !== null) stream.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      return true;
    }
    if (message.path !== endpoint || stream === null) return reply(response, '', refusal);
    if (answer(message, stream, response)) return true;
    response.writeHead(202).end();
    const result = goodResult(message);
    if (result !== null) sendOn(stream, { jsonrpc: '2.0', id: message.id, result });
    return true;
  };
}

/** Sends a message as one event. */
export function sendOn(stream: ServerResponse, message: unknown): void {
  stream.write(`data: ${typeof message === 'string' ? message : JSON.stringify(message)}\n\n`);
}
