import { on, reply, replyResult, type Behaviour, type Incoming } from '../hostileMcpServer.js';
import type { ServerResponse } from 'node:http';

const eventStream = { 'content-type': 'text/event-stream' };

/** Says that the session is over, case 1. */
export const expiredSession: Behaviour = on('tools/call', (_, response) => reply(response, '', 404));

/** Ends every stream at once and asks to come back after `retry` milliseconds, case 2. */
export const endsEveryStream = (retry: number): Behaviour => (message, response) => {
  if (message.httpMethod !== 'GET' && message.method !== 'tools/call') return false;
  response.writeHead(200, eventStream).end(`id: 1\nretry: ${retry}\ndata:\n\n`);
  return true;
};

/** Ends the stream of a call once, and answers a GET with this status, case 3. */
export const refusesStreams = (status: number): Behaviour => (message, response) => {
  if (message.httpMethod === 'GET') return reply(response, '', status);
  return message.method === 'tools/call' && endsEveryStream(1)(message, response);
};

/** A response that goes on and on, as the result of a call, case 19. */
export const hugeResponse: Behaviour = on('tools/call', (_, response) => pour(response.writeHead(200, { 'content-type': 'application/json' })));

/** An event that never ends, case 20. */
export const endlessEvent: Behaviour = on('tools/call', (_, response) => {
  response.writeHead(200, eventStream).write('data: ');
  pour(response);
});

/** An error whose explanation does not end, case 21. */
export const endlessExplanation: Behaviour = on('initialize', (_, response) => pour(response.writeHead(503, { 'content-type': 'text/plain' })));

/** Never answers, case 22. */
export const silent = (method: string): Behaviour => on(method, () => undefined);

/** Reports progress every millisecond and nothing else, case 23. */
export const endlessProgress: Behaviour = on('tools/call', ({ id }, response) => {
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: id, progress: 1 } };
  response.writeHead(200, eventStream);
  const timer = setInterval(() => response.write(`data: ${JSON.stringify(progress)}\n\n`), 1);
  response.once('close', () => clearInterval(timer));
});

/** Answers the handshake with another kind of content, or none at all, case 24. */
export const wrongContent = (type: string | null, body: string, status = 200): Behaviour =>
  on('initialize', (_, response) => response.writeHead(status, type === null ? {} : { 'content-type': type }).end(body));

/** Answers rightly in odd ways, case 25. */
export const odd: { readonly [name: string]: Behaviour } = {
  'a byte order mark': on('tools/call', (message, response) => reply(response, `\ufeff${JSON.stringify(answerTo(message))}`)),
  'a content type in capitals with a parameter': on('tools/call', (message, response) => reply(response, answerTo(message), 200, { 'content-type': 'Application/JSON; Charset=UTF-8' })),
  'an id that came back as a string': on('tools/call', (message, response) => reply(response, { ...answerTo(message), id: String(message.id) })),
  'an event stream with CR LF and comments': on('tools/call', (message, response) =>
    response.writeHead(200, eventStream).end(`: hello\r\n\r\nevent: message\r\ndata: ${JSON.stringify(answerTo(message))}\r\n\r\n`),
  ),
};

/** Answers notifications with a status of its own, case 25. */
export const notificationAnswered = (status: number): Behaviour => on('notifications/initialized', (_, response) => response.writeHead(status).end());

/** Answers that are no answer, case 26. */
export const broken: { readonly [name: string]: Behaviour } = {
  'a null id': on('tools/call', (message, response) => reply(response, { ...answerTo(message), id: null })),
  'the id of another request': on('tools/call', (message, response) => reply(response, { ...answerTo(message), id: 4711 })),
  'no version of JSON-RPC': on('tools/call', (message, response) => reply(response, { id: message.id, result: { content: [] } })),
  'a null error beside the result': on('tools/call', (message, response) => reply(response, { ...answerTo(message), error: null })),
  'a key that does not belong there': on('tools/call', (message, response) => reply(response, { ...answerTo(message), extra: 1 })),
};

/** Fails in the second step of the handshake, case 27. */
export const failsWhenInitialized: Behaviour = on('notifications/initialized', (_, response) => reply(response, '', 500));

/** Speaks another revision of the protocol, case 28. */
export const speaks = (protocolVersion: string): Behaviour =>
  on('initialize', (message, response) => replyResult(response, message, { protocolVersion, capabilities: {}, serverInfo: { name: 'x', version: '1' } }));

/** Redirects the handshake, cases 29 and 30. */
export const redirects = (status: number, location: string): Behaviour => on('initialize', (_, response) => reply(response, '', status, { location }));

function answerTo({ id }: Incoming): { readonly [key: string]: unknown } {
  return { jsonrpc: '2.0', id, result: { content: [] } };
}

/** Writes as fast as it is read, until nobody reads any more. */
function pour(response: ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', write);
  write();
}
