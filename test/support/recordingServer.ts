import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a path answers: a JSON document, or whatever a listener makes of it. */
export type Answer = { readonly [key: string]: unknown } | RequestListener;

/** A real server on loopback that answers by path, 404 elsewhere, and keeps what it was asked. */
export interface RecordingServer {
  readonly origin: string;
  readonly requests: readonly RecordedRequest[];
  /** `POST /path`, `GET /path?query` … of all requests. */
  asked(): readonly string[];
  /** What a path answers from now on, without its query. */
  on(path: string, answer: Answer): void;
  stop(): Promise<void>;
}

export async function startRecordingServer(): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const answers = new Map<string, Answer>();
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    const answer = answers.get((request.url ?? '').split('?')[0] ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      respond(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    asked: () => requests.map(({ method, url }) => `${method} ${url}`),
    on: (path, answer) => answers.set(path, answer),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** An answer with a status, headers and a text. */
export function plainly(status: number, headers: { readonly [name: string]: string } = {}, text = ''): RequestListener {
  return (_, response) => response.writeHead(status, headers).end(text);
}

/** A JSON answer with a status. */
export function jsonly(status: number, document: unknown): RequestListener {
  return plainly(status, { 'content-type': 'application/json' }, JSON.stringify(document));
}
