import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { BodyEnd } from '../../../src/platform/net/cappedBody.js';
import { makeGuardedFetch, type FetchLimits, type GuardedFetch } from '../../../src/platform/net/guardedFetch.js';
import { systemResolve } from '../../../src/platform/net/guardedLookup.js';

const limits: FetchLimits = { connectMs: 5_000, headersMs: 5_000, errorBodyMs: 5_000, bodyBytes: 100, errorBodyBytes: 10 };

describe('the guarded fetch', () => {
  let server: Server;
  let origin: string;
  let answer: RequestListener;
  let guarded: GuardedFetch;

  beforeEach(async () => {
    server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    guarded = make();
  });
  afterEach(async () => {
    await guarded.close();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  function make(tight: Partial<FetchLimits> = {}, bearer: string | null = null): GuardedFetch {
    return makeGuardedFetch({ url: `${origin}/mcp`, policy: { allowLoopback: true, httpsOnly: false }, resolve: systemResolve, bearer, limits: { ...limits, ...tight } });
  }

  it('talks to the registered origin only', async () => {
    await expect(guarded.fetch('http://127.0.0.1:1/', {})).rejects.toMatchObject({ code: 'other_origin' });
  });

  it('asks for no compression and attaches the bearer token', async () => {
    answer = (request, response) => response.end(JSON.stringify([request.headers['accept-encoding'], request.headers.authorization]));
    const response = await make({}, 'abc').fetch(`${origin}/`, {});
    expect(await response.json()).toEqual(['identity', 'Bearer abc']);
  });

  it.each([301, 302, 303, 304, 307, 308])('refuses the redirect %i', async (status) => {
    answer = (_, response) => response.writeHead(status, { location: '/other' }).end();
    await expect(guarded.fetch(origin, {})).rejects.toMatchObject({ code: 'redirect_refused' });
  });

  it('takes a body of exactly the bytes allowed', async () => {
    answer = (_, response) => response.end('x'.repeat(100));
    expect(await (await guarded.fetch(origin, {})).text()).toHaveLength(100);
  });

  it('refuses a larger one by its declared length before reading it', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-length': 101 }).flushHeaders();
    await expect(guarded.fetch(origin, {})).rejects.toMatchObject({ code: 'response_too_large' });
  });

  it('counts what a compressed body becomes', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(101)));
    const ends: BodyEnd[] = [];
    const response = await guarded.fetch(origin, {}, { onBodyEnd: (end) => ends.push(end) });
    await expect(response.text()).rejects.toMatchObject({ code: 'response_too_large' });
    expect(ends).toMatchObject([{ code: 'response_too_large' }]);
  });

  it('reads only the start of what a refused request is told', async () => {
    answer = (_, response) => response.writeHead(400).end('x'.repeat(1_000));
    const response = await guarded.fetch(origin, {});
    expect([response.status, await response.text()]).toEqual([400, 'x'.repeat(10)]);
  });

  it('waits for the head of a response only so long', async () => {
    answer = () => undefined;
    await expect(make({ headersMs: 50 }).fetch(origin, {})).rejects.toMatchObject({ code: 'header_timeout' });
  });

  it('tells when a request begins to leave, and not when it cannot', async () => {
    answer = (_, response) => response.end();
    const sent: string[] = [];
    await guarded.fetch(origin, {}, { onSent: () => sent.push('first') });
    await expect(guarded.fetch(origin, { signal: AbortSignal.abort() }, { onSent: () => sent.push('aborted') })).rejects.toMatchObject({ code: 'aborted' });
    expect(sent).toEqual(['first']);
  });

  it('cuts a body under way when it is given up', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (_, response) => response.on('close', resolve).write('x');
    });
    const caller = new AbortController();
    const response = await guarded.fetch(origin, {}, { signal: caller.signal });
    caller.abort();
    await expect(response.text()).rejects.toBeDefined();
    await closed;
  });

  it('names a connection that breaks', async () => {
    answer = (request) => request.socket.destroy();
    await expect(guarded.fetch(origin, { method: 'POST', body: 'x' })).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('names a port that fetch never dials', async () => {
    const odd = makeGuardedFetch({ url: 'http://127.0.0.1:6000/', policy: { allowLoopback: true, httpsOnly: false }, resolve: systemResolve, bearer: null, limits });
    await expect(odd.fetch('http://127.0.0.1:6000/', {})).rejects.toMatchObject({ code: 'invalid_url' });
  });

  it.each([
    ['one refused address among public ones', [{ address: '1.1.1.1', family: 4 }, { address: '10.0.0.1', family: 4 }], 'blocked_address'],
    ['no address', [], 'dns_failed'],
  ])('refuses a name with %s, and sends nothing', async (_, addresses, code) => {
    const named = makeGuardedFetch({ url: 'https://some.example/', policy: { allowLoopback: false, httpsOnly: true }, resolve: async () => addresses, bearer: null, limits });
    const sent: string[] = [];
    await expect(named.fetch('https://some.example/', {}, { onSent: () => sent.push('sent') })).rejects.toMatchObject({ code });
    expect(sent).toEqual([]);
    await named.close();
  });

  it('connects to what was judged, whatever the name means to others', async () => {
    const port = Number(new URL(origin).port);
    answer = (request, response) => response.end(request.headers.host);
    const named = makeGuardedFetch({
      url: `http://some.example:${port}/`,
      policy: { allowLoopback: true, httpsOnly: false },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      bearer: null,
      limits,
    });
    expect(await (await named.fetch(`http://some.example:${port}/`, {})).text()).toBe(`some.example:${port}`);
    await named.close();
  });

  it('says that a server without TLS is not reached securely', async () => {
    const secure = makeGuardedFetch({ url: origin.replace('http:', 'https:'), policy: { allowLoopback: true, httpsOnly: false }, resolve: systemResolve, bearer: null, limits });
    await expect(secure.fetch(origin.replace('http:', 'https:'), {})).rejects.toMatchObject({ code: 'tls_failed' });
    await secure.close();
  });

  it('refuses to be made for a URL that is refused', () => {
    expect(() => makeGuardedFetch({ url: 'http://10.0.0.1/', policy: { allowLoopback: true, httpsOnly: false }, resolve: systemResolve, bearer: null, limits })).toThrow(
      expect.objectContaining({ code: 'blocked_address' }),
    );
  });
});
