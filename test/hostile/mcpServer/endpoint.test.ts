import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import type { JsonValue } from '../../../src/platform/json.js';
import { serveEndpoint, token, type ServedEndpoint } from '../../support/mcpServer/servedEndpoint.js';

let endpoint: ServedEndpoint;
let calls: JsonValue[];
let answer: JsonValue;
beforeEach(async () => {
  calls = [];
  answer = 'done';
  endpoint = await serveEndpoint({
    callTool: async ({ arguments: given }) => {
      calls.push(given);
      return { callId: 'stored', status: 'succeeded', success: true, data: answer };
    },
  });
});
afterEach(() => endpoint.close());

interface Reply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function send(options: RequestOptions, body: string | Buffer = ''): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: endpoint.port, ...options }, (reply) => {
      text(reply).then((read) => resolve({ status: reply.statusCode, headers: reply.headers, body: read }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const good = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const post = (body: string | Buffer, headers: Record<string, string> = {}) => send({ method: 'POST', path: '/mcp', headers: { ...good, ...headers } }, body);
const callOf = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
const goodCall = callOf('{"name":"tool","arguments":{}}');

async function stillServes(): Promise<void> {
  expect(await post(goodCall)).toMatchObject({ status: 200 });
}

describe('who may call', () => {
  it('is served with the token', stillServes);

  it.each([
    ['no token', {}],
    ['another token', { authorization: `Bearer ${'x'.repeat(43)}` }],
    ['a longer token', { authorization: `Bearer ${token}x` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${token}` }],
    ['a list of tokens', { authorization: `Bearer ${token}, Bearer ${token}` }],
  ])('is not served with %s', async (_name, headers) => {
    const reply = await send({ method: 'POST', path: '/mcp', headers: { accept: good.accept, 'content-type': good['content-type'], ...headers } }, goodCall);
    expect(reply).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(reply.body).not.toContain(token);
    expect(calls).toEqual([]);
  });

  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost.', '0.0.0.0', '[::]', '2130706433'])(
    'is not served under the host %j, before the token is looked at',
    async (host) => {
      expect(await post(goodCall, { host })).toMatchObject({ status: 403 });
      expect(await send({ method: 'POST', path: '/mcp', headers: { host } })).toMatchObject({ status: 403 });
      expect(calls).toEqual([]);
    },
  );

  it.each(['127.0.0.1:x', 'localhost:1:2', '127.0.0.1@evil.example', 'localhost/evil.example'])('is not served under the host %j, which is none', async (host) => {
    expect([400, 403]).toContain((await post(goodCall, { host })).status);
    expect(calls).toEqual([]);
  });

  it('is not served without a host', async () => {
    const socket = connect(endpoint.port, '127.0.0.1');
    socket.end(`POST /mcp HTTP/1.0\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${goodCall.length}\r\n\r\n${goodCall}`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 (400|403) /);
    expect(calls).toEqual([]);
  });

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST:9', '[::1]:65535'])('is served under the host %j', async (host) => {
    expect(await post(goodCall, { host })).toMatchObject({ status: 200 });
  });

  it.each(['http://evil.example', 'null', '', 'http://localhost.evil.example', 'file://localhost', 'https://127.0.0.1:1/path', 'http://user@localhost'])(
    'is not served from a page of %j',
    async (origin) => {
      expect(await post(goodCall, { origin })).toMatchObject({ status: 403 });
      expect(calls).toEqual([]);
    },
  );

  it.each(['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:8080'])('is served from a page of %j', async (origin) => {
    expect(await post(goodCall, { origin })).toMatchObject({ status: 200 });
  });

  it.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/mcp/.well-known/openid-configuration',
  ])('finds no sign-in at %s', async (path) => {
    expect(await send({ path })).toMatchObject({ status: 404 });
  });
});

describe('a body that is no good', () => {
  it.each<[string, string | Buffer, number]>([
    ['nothing', '', 400],
    ['half of one', '{"jsonrpc":"2.0","id":1,"meth', 400],
    ['a NUL byte', '\u0000', 400],
    ['no UTF-8', Buffer.from([0xff, 0xfe]), 400],
    ['a number', '7', 400],
    ['an empty object', '{}', 400],
    ['a batch of 101', `[${Array(101).fill(goodCall).join()}]`, 400],
  ])('%s is answered', async (_name, body, status) => {
    const reply = await post(body);
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) as unknown } });
    expect(reply.body).not.toMatch(/\bat .*\.[jt]s/);
    await stillServes();
  });

  it.each([
    ['no name', '{}'],
    ['a name that is a number', '{"name":7}'],
    ['arguments that are a list', '{"name":"tool","arguments":[]}'],
    ['arguments that are text', '{"name":"tool","arguments":"x"}'],
    ['a task', '{"name":"tool","task":{"ttl":1}}'],
  ])('a call with %s is an error and calls nothing', async (_name, params) => {
    const reply = await post(callOf(params));
    expect(reply.body).toMatch(/"error":\{"code":-3260[23]/);
    expect(calls).toEqual([]);
  });

  it('an unknown method is an error', async () => {
    expect((await post('{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}')).body).toContain('-32601');
  });

  it.each([
    ['that says it is 10 MB', { 'content-length': String(10_000_000) }],
    ['that does not say it is 10 MB', { 'transfer-encoding': 'chunked' }],
  ])('%s is refused', async (_name, headers) => {
    const reply = await post('x'.repeat(10_000_000), headers).catch((error: unknown) => error as NodeJS.ErrnoException);
    // The server need not read it all: the client may find the connection closed while it still sends.
    if ('status' in reply) expect(reply.status).toBe(413);
    else expect(['EPIPE', 'ECONNRESET']).toContain((reply).code);
    expect(calls).toEqual([]);
    await stillServes();
  });

  it.each([
    ['GET', 405],
    ['DELETE', 405],
    ['PUT', 405],
    ['OPTIONS', 405],
  ])('%s is not offered', async (method, status) => {
    expect(await send({ method, path: '/mcp', headers: good })).toMatchObject({ status, headers: { allow: 'POST' } });
  });

  it.each([
    ['content type', { 'content-type': 'text/plain' }, 415],
    ['accepted type', { accept: 'text/html' }, 406],
    ['protocol version', { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('another %s is refused', async (_name, headers, status) => {
    expect(await post(goodCall, headers)).toMatchObject({ status });
    expect(calls).toEqual([]);
  });
});

describe('odd but well-formed calls', () => {
  it('reach dispatch as they were written: __proto__, lone surrogates, NUL, 10,000 levels', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    expect(await post(callOf(`{"name":"tool","arguments":{"__proto__":{"a":1},"lone":"\\ud800","nul":"\\u0000","deep":${deep}}}`))).toMatchObject({ status: 200 });
    const given = calls[0] as Record<string, unknown>;
    expect(Object.keys(given)).toEqual(['__proto__', 'lone', 'nul', 'deep']);
    expect([given['lone'], given['nul']]).toEqual(['\ud800', '\u0000']);
  });

  it('with a result nested too deeply to be sent are answered', async () => {
    let deep: JsonValue = [];
    for (let level = 0; level < 20_000; level++) deep = [deep];
    answer = { deep };
    expect((await post(goodCall)).body).toContain('nested too deeply');
  });

  it('with any session id are served', async () => {
    expect(await post(goodCall, { 'mcp-session-id': 'x'.repeat(4_000) })).toMatchObject({ status: 200 });
  });

  it('may come twice under one id in a batch: one is answered, both are over', async () => {
    expect(await post(`[${goodCall},${goodCall}]`)).toMatchObject({ status: 200 });
    expect(calls).toHaveLength(2);
  });

  it('get a session id to go on with, once', async () => {
    const first = await post(goodCall);
    expect(first.headers['mcp-session-id']).toBe('session-1');
    expect((await post(goodCall, { 'mcp-session-id': 'session-1' })).headers['mcp-session-id']).toBeUndefined();
  });
});

it.each(['\r\n\r\n', 'GET', 'POST /mcp HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: -1\r\n\r\n', 'x'.repeat(100_000)])('bytes that are no HTTP harm nobody (%#)', async (bytes) => {
  const socket = connect(endpoint.port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.resume().end(bytes);
  await closed;
  await stillServes();
});

it('health and version are open to programs on this machine', async () => {
  expect(await send({ path: '/health' })).toMatchObject({ status: 200, body: '{"status":"ok","checks":{"ledger":{"ok":true}}}' });
  expect(await send({ path: '/version' })).toMatchObject({ status: 200, body: '{"version":"1.2.3"}' });
});
