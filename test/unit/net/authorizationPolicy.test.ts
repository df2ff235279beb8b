import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authorizationPolicy } from '../../../src/platform/net/connectorPolicy.js';
import { makeGuardedFetch, type GuardedFetch } from '../../../src/platform/net/guardedFetch.js';

const most = 256 * 1024;

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
    const reach = { localOrigins: new Set([origin]), ownPorts: new Set([7411]) };
    guarded = makeGuardedFetch({ policy: authorizationPolicy(reach), resolve: async () => [{ address: '127.0.0.1', family: 4 }], userAgent: 'toolledger/test' });
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
    expect(authorizationPolicy({ localOrigins: new Set(), ownPorts: new Set() }).limits).toMatchObject({ totalMs: 10_000, bodyBytes: most });
  });
});
