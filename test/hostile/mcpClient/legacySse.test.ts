import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { defaultClientLimits } from '../../../src/mcp/client/limits.js';
import type { McpClient } from '../../../src/mcp/client/remoteServers.js';
import { legacySse, sendOn } from '../../support/hostile/legacySse.js';
import { on, reply, startHostileMcpServer, type HostileMcpServer, type Incoming } from '../../support/hostileMcpServer.js';
import { clientFor, never, patient, someServer } from '../../support/mcpClientUnderTest.js';

const responseBytes = 2_000;
const small = { fetch: { ...defaultClientLimits.fetch, bodyBytes: responseBytes }, legacyStreamBytes: 1_500 };

describe('a server of the transport of 2024-11-05', () => {
  let server: HostileMcpServer;
  let client: McpClient;

  beforeEach(async () => {
    server = await startHostileMcpServer();
    client = clientFor(server.url, { tight: small });
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });

  const connect = () => client.connect(someServer, never);
  const call = (options = patient) => client.call(someServer, 'plain', {}, options);
  const count = (method: string) => server.seen.filter((message) => message.method === method || message.httpMethod === method).length;
  const tried = () => server.seen.filter(({ httpMethod, path }) => httpMethod === 'POST' && path === '/mcp').length;
  /** An event that holds the answer to a call, of exactly this many bytes. */
  const answerOf = (bytes: number, { id }: Incoming) => {
    const message = (text: string) => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
    return message('x'.repeat(bytes - 'data: \n\n'.length - message('').length));
  };
  const answering = (bytes: number) =>
    legacySse({
      answer: (message, stream, response) => {
        if (message.method !== 'tools/call') return false;
        response.writeHead(202).end();
        sendOn(stream, answerOf(bytes, message));
        return true;
      },
    });
  const dropping = () =>
    legacySse({
      answer: (message, stream) => {
        if (message.method !== 'tools/call') return false;
        stream.destroy();
        return true;
      },
    });

  it.each([400, 404, 405])('is found after Streamable HTTP was answered with %i', async (refusal) => {
    server.behave(legacySse({ refusal }));
    expect(await connect()).toMatchObject({ ok: true, listing: { tools: [{ name: 'plain' }] } });
    expect(await call()).toMatchObject({ kind: 'answered', content: [{ type: 'text', text: 'done' }] });
    expect([tried(), count('GET')]).toEqual([1, 1]);
  });

  it.each([
    [401, 'needs_sign_in'],
    [403, 'needs_sign_in'],
    [410, 'not_mcp'],
    [429, 'rate_limited'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('is not looked for after %i', async (refusal, expected) => {
    server.behave(legacySse({ refusal }));
    expect(await connect()).toMatchObject({ ok: false, class: expected });
    expect(count('GET')).toBe(0);
  });

  it('is not looked for after an error in the words of the protocol', async () => {
    server.behave((message, response) => message.httpMethod === 'POST' && reply(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no' } }, 400));
    expect(await connect()).toMatchObject({ ok: false, class: 'not_mcp' });
    expect(count('GET')).toBe(0);
  });

  it('is not looked for when only the listing fails', async () => {
    server.behave(on('tools/list', (_, response) => reply(response, '', 404)));
    expect(await connect()).toMatchObject({ ok: false, class: 'not_mcp' });
    expect(count('GET')).toBe(0);
  });

  it('and what is neither is told about both', async () => {
    server.behave((message, response) => reply(response, '', message.httpMethod === 'GET' ? 403 : 405));
    expect(await connect()).toMatchObject({
      ok: false,
      class: 'needs_sign_in',
      message: expect.stringMatching(/^Over Streamable HTTP: It answered HTTP 405\..*Over HTTP with SSE: The server wants a sign-in or a token \(HTTP 403\)/),
    });
  });

  it('that answers with a web page is no MCP', async () => {
    server.behave((message, response) => (message.httpMethod === 'GET' ? reply(response, '<html>', 200, { 'content-type': 'text/html' }) : reply(response, '', 404)));
    expect(await connect()).toMatchObject({ ok: false, class: 'not_mcp', message: expect.stringContaining('content type \u201ctext/html\u201d instead of an event stream') });
  });

  it('case 4: that never names an endpoint has the time of one attempt', async () => {
    server.behave(legacySse({ endpoint: null }));
    const hasty = clientFor(server.url, { tight: { connectMs: 250 } });
    expect(await hasty.connect(someServer, never)).toMatchObject({ ok: false, class: 'timeout', message: expect.stringContaining('Over HTTP with SSE: No working connection within 250 ms.') });
    await hasty.close();
  });

  it('case 5: that drops the stream after the endpoint is left alone', async () => {
    server.behave((message, response) => {
      if (message.httpMethod !== 'GET') return reply(response, '', 405);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 1\nevent: endpoint\ndata: /messages\n\n');
      return true;
    });
    expect(await connect()).toMatchObject({ ok: false, class: 'unreachable' });
    expect(count('GET')).toBe(1);
  });

  it('case 5: that drops the stream during a call loses the call, and gets a new connection for the next one', async () => {
    server.behave(dropping());
    await connect();
    expect(await call()).toMatchObject({ kind: 'unknown', cause: 'connection_lost' });
    server.behave(legacySse());
    expect(await connect()).toMatchObject({ ok: true });
    expect(await call()).toMatchObject({ kind: 'answered' });
    expect([count('GET'), count('tools/call')]).toEqual([2, 2]);
  });

  it('case 5: that drops the stream while nobody waits gets a new connection for the next call', async () => {
    let drop = () => undefined as unknown;
    server.behave(
      legacySse({
        answer: (_, stream) => {
          drop = () => stream.end();
          return false;
        },
      }),
    );
    await connect();
    drop();
    // Once the client has read the end of the stream, connecting makes a new one.
    while (count('GET') < 2) {
      await new Promise(setImmediate);
      expect(await connect()).toMatchObject({ ok: true });
    }
    expect(await call()).toMatchObject({ kind: 'answered' });
  });

  it('case 6: that names an endpoint at another origin is refused, and nothing is sent there', async () => {
    const elsewhere = await startHostileMcpServer();
    server.behave(legacySse({ endpoint: `${elsewhere.origin}/messages` }));
    const signedIn = clientFor(server.url, { token: 'abc' });
    expect(await signedIn.connect(someServer, never)).toMatchObject({ ok: false, class: 'protocol_error', message: expect.stringContaining(`an endpoint at another origin (${elsewhere.origin})`) });
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.stop();
  });

  it('case 19: may answer with as many bytes as any other, and not one more', async () => {
    server.behave(answering(responseBytes));
    await connect();
    expect(await call()).toMatchObject({ kind: 'answered' });
    server.behave(answering(responseBytes + 1));
    await connect();
    expect(await call()).toMatchObject({ kind: 'unknown', cause: 'protocol_error', message: expect.stringContaining(`${responseBytes} bytes`) });
  });

  it('case 20: that sends an event without end is cut', async () => {
    server.behave(
      legacySse({
        answer: (message, stream) => {
          if (message.method !== 'tools/call') return false;
          stream.on('drain', () => stream.write('x'.repeat(1_000)));
          return stream.write(`data: ${'x'.repeat(100_000)}`) || true;
        },
      }),
    );
    await connect();
    expect(await call()).toMatchObject({ kind: 'unknown', cause: 'protocol_error' });
  });

  it('gets a fresh stream before the next call when its stream has brought much', async () => {
    server.behave(answering(1_000));
    await connect();
    await call();
    expect(count('GET')).toBe(1);
    await connect();
    await call();
    await connect();
    expect(await call()).toMatchObject({ kind: 'answered' });
    expect(count('GET')).toBe(2);
  });

  it('says unasked that its tools changed, and is listed again', async () => {
    let stream: ServerResponse | undefined;
    server.behave(
      legacySse({
        answer: (_, on) => {
          stream = on;
          return false;
        },
      }),
    );
    await connect();
    if (stream !== undefined) sendOn(stream, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await call();
    await connect();
    expect([count('tools/list'), count('GET')]).toEqual([2, 1]);
  });

  it('is tried first when it is connected again', async () => {
    server.behave(dropping());
    await connect();
    await call();
    expect(await connect()).toMatchObject({ ok: true });
    expect([tried(), count('GET')]).toEqual([1, 2]);
  });

  it('that speaks Streamable HTTP by now is found again', async () => {
    server.behave(dropping());
    await connect();
    await call();
    server.behave(() => false);
    expect(await connect()).toMatchObject({ ok: true });
    expect([tried(), count('GET')]).toEqual([4, 2]);
  });

  it('is forgotten to be one after it failed', async () => {
    server.behave(dropping());
    await connect();
    await call();
    server.behave((_, response) => reply(response, '', 500));
    expect(await connect()).toMatchObject({ ok: false, class: 'server_error' });
    server.behave(legacySse());
    expect(await connect()).toMatchObject({ ok: true });
    expect(tried()).toBe(2);
  });

  it.each([
    [401, 'needs_sign_in'],
    [404, 'http_error'],
    [429, 'rate_limited'],
  ])('that refuses a call with %i rejects it', async (status, code) => {
    server.behave(legacySse({ answer: (message, _, response) => message.method === 'tools/call' && reply(response, '', status) }));
    await connect();
    expect(await call()).toMatchObject({ kind: 'rejected', code });
  });

  it('that does not answer a call in time is told so', async () => {
    server.behave(legacySse({ answer: ({ method }, _, response) => method === 'tools/call' && reply(response, '', 202) }));
    await connect();
    expect(await call({ ...patient, timeoutMs: 100 })).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    expect(await server.received('notifications/cancelled')).toMatchObject({ path: '/messages?session=1' });
  });
});
