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
    ['no JSON', status(200, '{"jsonrpc":'), 'protocol_error'],
    ['no JSON-RPC', status(200, { hello: 'world' }), 'protocol_error'],
    ['an answer to another request', status(200, { jsonrpc: '2.0', id: 4711, result: {} }), 'protocol_error'],
    ['a null id', status(200, { jsonrpc: '2.0', id: null, result: {} }), 'protocol_error'],
    [
      'an error saying that it is newer',
      status(400, { jsonrpc: '2.0', id: null, error: { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'] } } }),
      'needs_newer_client',
    ],
    ['a connection that breaks', on('initialize', (_, response) => response.destroy()), 'unreachable'],
    ['an event stream that ends without an answer', on('initialize', (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n')), 'unreachable'],
    ['an event that is no message', on('initialize', (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"x":1}\n\n')), 'protocol_error'],
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
    expect(outcome.message).toMatch(/^It answered HTTP 500\. It says: \u201c\[31mno\[0m \[redacted:server_secret\] see https:\/\/evil\.example x+…\u201d$/);
    expect(outcome.message.length).toBeLessThanOrEqual(500);
  });

  it.each<[string, object, string]>([
    ['an HTTP error', status(404, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Not here. Use \u201chttps://evil.example/x\u201d' } }), 'It answered HTTP 404. Is the path of the URL right? It says: \u201cNot here. Use "https://evil.example"\u201d'],
    ['an error of JSON-RPC', on('initialize', ({ id }, response) => reply(response, { jsonrpc: '2.0', id, error: { code: -32000, message: 'Go away.' } })), 'It answered with error -32000. It says: \u201cGo away.\u201d'],
    ['a type of content', status(200, '<p>', { 'content-type': 'text/html' }), 'The answer is not MCP (content type \u201ctext/html\u201d). Is the path of the URL right?'],
  ])('sets a server\u2019s own words apart from ours: %s', async (_what, behaviour, message) => {
    server.behave(behaviour as Behaviour);
    expect(await client.connect(someServer, never)).toMatchObject({ ok: false, message });
  });

  it.each([
    [{ 'retry-after': '120' }, 120_000, 'It answered HTTP 429. It asks to wait 2m before the next try.'],
    [{ 'retry-after': '259200' }, 86_400_000, 'It answered HTTP 429. It asks to wait 3d before the next try; this program keeps to at most 1d.'],
    [{}, null, 'It answered HTTP 429. It does not say for how long to wait.'],
  ])('tells how long a server asks to wait, and how much of it is kept to: %j', async (headers, retryAfterMs, message) => {
    server.behave(status(429, '', headers));
    expect(await client.connect(someServer, never)).toEqual({ ok: false, class: 'rate_limited', retryAfterMs, message });
  });

  const ours = '2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07';
  const shaking = (protocolVersion: string): Behaviour =>
    on('initialize', ({ id }, response) => reply(response, { jsonrpc: '2.0', id, result: { protocolVersion, capabilities: {}, serverInfo: { name: 'x', version: '1' } } }));
  const unsupported = (code: number, supported: readonly unknown[]) => ({ jsonrpc: '2.0', error: { code, message: 'Unsupported protocol version', data: { supported } } });

  it.each<[string, Behaviour, string, string]>([
    ['an old one', shaking('2023-12-01'), 'protocol_error', `The server answered with a revision of MCP that this client does not speak (this client speaks ${ours}). Ask whoever runs the server to update it. It says: \u201c2023-12-01\u201d`],
    ['one that is none', shaking('latest\u001b[2J'), 'protocol_error', `The server answered with a revision of MCP that this client does not speak (this client speaks ${ours}). Ask whoever runs the server to update it. It says: \u201clatest[2J\u201d`],
    ['a newer one', shaking('2026-07-28'), 'needs_newer_client', `The server only speaks a newer revision of MCP than this client, which speaks ${ours}. It says: \u201c2026-07-28\u201d`],
    ['old ones, in an error', on('initialize', ({ id }, response) => reply(response, { ...unsupported(-32602, ['2023-12-01', 7, '2024-01-01']), id })), 'protocol_error', `The server answered with a revision of MCP that this client does not speak (this client speaks ${ours}). Ask whoever runs the server to update it. It says: \u201c2023-12-01, 2024-01-01\u201d`],
    ['newer ones, in an HTTP error', status(400, { ...unsupported(-32022, ['2026-07-28']), id: null }), 'needs_newer_client', `The server only speaks a newer revision of MCP than this client, which speaks ${ours}. It says: \u201c2026-07-28\u201d`],
    ['none by name, in an error that says it is newer', status(400, { ...unsupported(-32022, []), id: null }), 'needs_newer_client', `The server only speaks a newer revision of MCP than this client, which speaks ${ours}.`],
  ])('says which revision a server speaks that we do not: %s', async (_what, behaviour, expected, message) => {
    server.behave(behaviour);
    expect(await client.connect(someServer, never)).toMatchObject({ ok: false, class: expected, message });
  });

  it('refuses a token that cannot be sent', async () => {
    const broken = await clientFor(server.url, { token: 'two\nlines' }).connect(someServer, never);
    expect(broken).toMatchObject({ ok: false, class: 'unauthorized', message: expect.not.stringContaining('lines\n') });
    expect(server.seen).toEqual([]);
  });
});
