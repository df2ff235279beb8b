import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authorizationPolicy } from '../../../src/platform/net/connectorPolicy.js';
import { dialable, makeGuardedFetch, type GuardedFetch } from '../../../src/platform/net/guardedFetch.js';
import type { UrlPolicy } from '../../../src/platform/net/urlGate.js';

const most = 256 * 1024;
const guild: UrlPolicy = { allowLoopback: false, httpsOnly: true, localOrigins: new Set(), ownPorts: new Set([7411]) };
const machine: UrlPolicy = { ...guild, allowLoopback: true, httpsOnly: false };

describe('the guarded fetch for authorization servers', () => {
  let server: Server;
  let answer: RequestListener;
  let origin: string;
  let guarded: GuardedFetch;

  beforeEach(async () => {
    server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    origin = `http://auth.internal:${port}`;
    const reach = { allowLoopback: false, httpsOnly: true, localOrigins: new Set([origin]), ownPorts: new Set([7411]) };
    guarded = makeGuardedFetch({ policy: authorizationPolicy({ url: `${origin}/mcp`, reach }), resolve: async () => [{ address: '127.0.0.1', family: 4 }], userAgent: 'toolledger/test' });
  });
  afterEach(async () => {
    await guarded.close();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  it.each([
    ['plain http', 'http://auth.example/', 'invalid_url'],
    ['a private address', 'https://10.0.0.1/', 'blocked_address'],
    ['this machine', 'https://localhost/', 'blocked_address'],
    ["the program's own listener", 'https://127.0.0.1:7411/', 'blocked_address'],
    ['cloud metadata', 'https://169.254.169.254/', 'blocked_address'],
    ['a name that leads to this machine', 'https://auth.example/', 'blocked_address'],
    ['credentials in the URL', 'https://user:pw@auth.example/', 'invalid_url'],
  ])('does not dial %s', async (_, url, code) => {
    await expect(guarded.fetch(url, {})).rejects.toMatchObject({ code });
  });

  it('reaches an origin listed as local, with nothing of ours', async () => {
    answer = (request, response) => response.end(JSON.stringify(Object.keys(request.headers).sort()));
    const headers = await (await guarded.fetch(`${origin}/token`, { headers: { cookie: 'a=b' } })).json();
    expect(headers).not.toContain('authorization');
    expect(headers).not.toContain('cookie');
  });

  it('sends what an authorization request itself says', async () => {
    answer = (request, response) => response.end(request.headers.authorization);
    expect(await (await guarded.fetch(origin, { headers: { authorization: 'Basic eDp5' } })).text()).toBe('Basic eDp5');
  });

  it('follows no redirect', async () => {
    answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    await expect(guarded.fetch(origin, {})).rejects.toMatchObject({ code: 'redirect_refused' });
  });

  it('takes 256 KiB and not a byte more', async () => {
    answer = (request, response) => response.writeHead(200).end('x'.repeat(request.url === '/more' ? most + 1 : most));
    expect(await (await guarded.fetch(origin, {})).text()).toHaveLength(most);
    await expect((await guarded.fetch(`${origin}/more`, {})).text()).rejects.toMatchObject({ code: 'response_too_large' });
  });

  it('has ten seconds for all of it', () => {
    expect(authorizationPolicy({ url: 'https://mcp.example/', reach: guild }).limits).toMatchObject({ totalMs: 10_000, bodyBytes: most });
  });
});

describe('what authorization servers a registered MCP server may name', () => {
  const listed = new Set(['http://10.0.0.5:9000', 'https://auth.internal', 'http://127.0.0.1:9000']);
  const reached = (server: string, reach: UrlPolicy, url: string): string => {
    try {
      return dialable(url, authorizationPolicy({ url: server, reach: { ...reach, localOrigins: listed } }).reach).origin;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const urls = ['https://auth.example', 'http://auth.example', 'http://127.0.0.1:9001', 'http://localhost:9001', 'https://[::1]:9001', 'http://10.0.0.5:9000', 'https://10.0.0.6', 'https://127.0.0.1:7411', 'http://169.254.169.254'];
  const reachedFrom = (server: string, reach: UrlPolicy) => urls.map((url) => reached(server, reach, url));

  it.each([
    ['a public server, whatever its workspace may reach', 'https://mcp.example/mcp', machine],
    ['a public server over plain http', 'http://mcp.example/mcp', machine],
    ['a server on this machine that its workspace may not reach', 'https://127.0.0.1:3000/mcp', guild],
    ["the program's own listener", 'http://127.0.0.1:7411/mcp', machine],
  ])('%s: public ones over https', (_, server, reach) => {
    expect(reachedFrom(server, reach)).toEqual(['https://auth.example', 'invalid_url', 'invalid_url', 'invalid_url', 'blocked_address', 'invalid_url', 'blocked_address', 'blocked_address', 'invalid_url']);
  });

  it.each(['http://127.0.0.1:3000/mcp', 'http://localhost:3000/mcp', 'https://[::1]:3000/mcp'])('the allowed %s: also this machine and what is listed, and plain http nowhere else', (server) => {
    expect(reachedFrom(server, machine)).toEqual([
      'https://auth.example', 'invalid_url', 'http://127.0.0.1:9001', 'http://localhost:9001', 'https://[::1]:9001', 'http://10.0.0.5:9000', 'blocked_address', 'blocked_address', 'invalid_url',
    ]);
  });

  it.each(['https://auth.internal/mcp', 'http://127.0.0.1:9000/mcp'])('the listed %s: also what is listed', (server) => {
    expect(reachedFrom(server, guild)).toEqual(['https://auth.example', 'invalid_url', 'invalid_url', 'invalid_url', 'blocked_address', 'http://10.0.0.5:9000', 'blocked_address', 'blocked_address', 'invalid_url']);
  });
});
