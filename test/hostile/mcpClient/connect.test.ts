import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { McpClient } from '../../../src/mcp/client/remoteServers.js';
import { defaultClientLimits } from '../../../src/mcp/client/limits.js';
import { on, reply, startHostileMcpServer, type Behaviour, type HostileMcpServer } from '../../support/hostileMcpServer.js';
import { clientFor, never, someServer } from '../../support/mcpClientUnderTest.js';

const token = ['sk', 'live', 'abcdefghijklmnop'].join('-');

describe('connecting to a server that misbehaves', () => {
  let server: HostileMcpServer;
  let client: McpClient;

  beforeEach(async () => {
    server = await startHostileMcpServer();
    client = clientFor(server.url);
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });

  const status = (code: number, body: unknown = '', headers = {}): Behaviour => on('initialize', (_, response) => reply(response, body, code, headers));

  it.each([
    ['401 without a token', status(401), 'needs_sign_in'],
    ['403 without a token', status(403), 'needs_sign_in'],
    ['429', status(429), 'rate_limited'],
    ['500', status(500), 'server_error'],
    ['404', status(404), 'not_mcp'],
    ['a redirect to another host', status(302, '', { location: 'http://198.51.100.1/mcp' }), 'redirect_refused'],
    ['a redirect that keeps the method and origin', status(307, '', { location: '/elsewhere' }), 'redirect_refused'],
    ['a web page', status(200, '<html></html>', { 'content-type': 'text/html' }), 'not_mcp'],
    ['no content type', on('initialize', (_, response) => response.writeHead(200).end('{}')), 'not_mcp'],
    ['202 without an answer', status(202), 'not_mcp'],
    ['no JSON', status(200, '{"jsonrpc":'), 'protocol_error'],
    ['no JSON-RPC', status(200, { hello: 'world' }), 'protocol_error'],
    ['an answer to another request', status(200, { jsonrpc: '2.0', id: 4711, result: {} }), 'protocol_error'],
    ['a null id', status(200, { jsonrpc: '2.0', id: null, result: {} }), 'protocol_error'],
    ['an unknown old protocol version', on('initialize', ({ id }, response) => reply(response, initialized(id, '1999-01-01'))), 'protocol_error'],
    ['only a newer protocol version', on('initialize', ({ id }, response) => reply(response, initialized(id, '2026-07-28'))), 'needs_newer_client'],
    [
      'an error saying that it is newer',
      status(400, { jsonrpc: '2.0', id: null, error: { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'] } } }),
      'needs_newer_client',
    ],
    ['a connection that breaks', on('initialize', (_, response) => response.destroy()), 'unreachable'],
    ['an event stream that ends without an answer', on('initialize', (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n')), 'unreachable'],
    ['an event that is no message', on('initialize', (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"x":1}\n\n')), 'protocol_error'],
    ['500 on the second step of the handshake', on('notifications/initialized', (_, response) => reply(response, '', 500)), 'server_error'],
    ['500 on the listing', on('tools/list', (_, response) => reply(response, '', 500)), 'server_error'],
    ['a listing that is no list', on('tools/list', ({ id }, response) => reply(response, { jsonrpc: '2.0', id, result: { tools: 'none' } })), 'protocol_error'],
  ])('names %s', async (_, behaviour, expected) => {
    server.behave(behaviour);
    expect(await client.connect(someServer, never)).toMatchObject({ ok: false, class: expected });
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
  ])('blames the token for %i when there is one', async (code, expected) => {
    server.behave(status(code));
    const outcome = await clientFor(server.url, { token }).connect(someServer, never);
    expect(outcome).toMatchObject({ ok: false, class: expected });
  });

  it.each(['initialize', 'notifications/initialized', 'tools/list'])('gives up when %s is never answered', async (method) => {
    server.behave(on(method, () => undefined));
    const hasty = clientFor(server.url, { tight: { connectMs: 250 } });
    expect(await hasty.connect(someServer, never)).toMatchObject({ ok: false, class: 'timeout' });
  });

  it('says that nobody listens', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const outcome = await clientFor(`http://127.0.0.1:${port}/mcp`).connect(someServer, never);
    expect(outcome).toMatchObject({ ok: false, class: 'unreachable' });
    expect(outcome).toMatchObject({ message: expect.stringContaining(`127.0.0.1:${port} (ECONNREFUSED)`) });
  });

  it.each(['http://169.254.169.254/mcp', 'http://10.0.0.1/mcp', 'http://[::ffff:169.254.169.254]/mcp'])('does not dial %s', async (url) => {
    expect(await clientFor(url).connect(someServer, never)).toMatchObject({ ok: false, class: 'blocked_address' });
  });

  it('does not dial a name that leads to a refused address', async () => {
    const resolve = async () => [{ address: '169.254.169.254', family: 4 }];
    const outcome = await clientFor('http://innocent.example/mcp', { resolve }).connect(someServer, never);
    expect(outcome).toMatchObject({ ok: false, class: 'blocked_address' });
  });

  it('reaches nothing on this machine for a guild', async () => {
    const outcome = await client.connect({ ...someServer, workspace: 'g1' }, never);
    expect(outcome).toMatchObject({ ok: false, class: 'blocked_address' });
    expect(server.seen).toEqual([]);
  });

  it('refuses a response larger than allowed by its declared length, unread', async () => {
    server.behave(
      on('initialize', (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': defaultClientLimits.fetch.bodyBytes + 1 });
        response.flushHeaders();
      }),
    );
    expect(await client.connect(someServer, never)).toMatchObject({ ok: false, class: 'response_too_large' });
  });

  it('keeps secrets, paths and terminal escapes out of what it says', async () => {
    const said = `\u001b[31mno\u001b[0m ${token} see https://user:pw@evil.example/a/b?key=1 \u202e${'x'.repeat(3_000)}`;
    server.behave(status(500, { jsonrpc: '2.0', id: null, error: { code: -32000, message: said } }));
    const outcome = await clientFor(server.url, { token }).connect(someServer, never);
    if (outcome.ok) throw new Error('connected');
    expect(outcome.message).toMatch(/^It answered HTTP 500: \[31mno\[0m \[redacted:server_secret\] see https:\/\/evil\.example x+…$/);
    expect(outcome.message.length).toBeLessThanOrEqual(500);
  });

  it('reads no more than the start of an explanation that does not end', async () => {
    server.behave(
      on('initialize', (_, response) => {
        response.writeHead(503, { 'content-type': 'text/plain' });
        const pour = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', pour);
        pour();
      }),
    );
    expect(await client.connect(someServer, never)).toMatchObject({ ok: false, class: 'server_error' });
  });

  it('sends the token as a bearer token to the registered server only, and refuses one that cannot be sent', async () => {
    const signedIn = clientFor(server.url, { token });
    await signedIn.connect(someServer, never);
    await signedIn.close();
    expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${token}`]));
    const broken = await clientFor(server.url, { token: 'two\nlines' }).connect(someServer, never);
    expect(broken).toMatchObject({ ok: false, class: 'unauthorized', message: expect.not.stringContaining('lines\n') });
  });

  it('takes an answer whose id came back as a string', async () => {
    server.behave(on('initialize', ({ id }, response) => reply(response, initialized(String(id), '2025-11-25'))));
    expect(await client.connect(someServer, never)).toMatchObject({ ok: true });
  });

  it('opens no stream for unasked messages', async () => {
    await client.connect(someServer, never);
    expect(server.seen.filter(({ httpMethod }) => httpMethod === 'GET')).toEqual([]);
  });
});

function initialized(id: unknown, protocolVersion: string): unknown {
  return { jsonrpc: '2.0', id, result: { protocolVersion, capabilities: {}, serverInfo: { name: 'x', version: '1' } } };
}
