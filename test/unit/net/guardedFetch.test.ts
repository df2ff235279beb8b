import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { BodyEnd } from '../../../src/platform/net/cappedBody.js';
import { mcpPolicy, type FetchLimits } from '../../../src/platform/net/connectorPolicy.js';
import { makeGuardedFetch, type GuardedFetch } from '../../../src/platform/net/guardedFetch.js';
import { systemResolve, type Resolve } from '../../../src/platform/net/guardedLookup.js';
import type { UrlPolicy } from '../../../src/platform/net/urlGate.js';

const limits: FetchLimits = { connectMs: 5_000, headersMs: 5_000, firstByteMs: 5_000, totalMs: null, errorBodyMs: 5_000, bodyBytes: 100, errorBodyBytes: 10 };
const machine: UrlPolicy = { allowLoopback: true, httpsOnly: false, localOrigins: new Set(), ownPorts: new Set() };

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
    return guardedFor(origin, { tight, bearer });
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
    const odd = guardedFor('http://127.0.0.1:6000');
    await expect(odd.fetch('http://127.0.0.1:6000/', {})).rejects.toMatchObject({ code: 'invalid_url' });
  });

  it.each([
    ['one refused address among public ones', [{ address: '1.1.1.1', family: 4 }, { address: '10.0.0.1', family: 4 }], 'blocked_address'],
    ['no address', [], 'dns_failed'],
  ])('refuses a name with %s, and sends nothing', async (_, addresses, code) => {
    const named = guardedFor('https://some.example', { reach: { ...machine, allowLoopback: false, httpsOnly: true }, resolve: async () => addresses });
    const sent: string[] = [];
    await expect(named.fetch('https://some.example/', {}, { onSent: () => sent.push('sent') })).rejects.toMatchObject({ code });
    expect(sent).toEqual([]);
    await named.close();
  });

  it('connects to what was judged, whatever the name means to others', async () => {
    const port = Number(new URL(origin).port);
    answer = (request, response) => response.end(request.headers.host);
    const named = guardedFor(`http://some.example:${port}`, { resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    expect(await (await named.fetch(`http://some.example:${port}/`, {})).text()).toBe(`some.example:${port}`);
    await named.close();
  });

  it('says that a server without TLS is not reached securely', async () => {
    const secure = guardedFor(origin.replace('http:', 'https:'));
    await expect(secure.fetch(origin.replace('http:', 'https:'), {})).rejects.toMatchObject({ code: 'tls_failed', message: expect.stringContaining('does not speak TLS (ERR_SSL_WRONG_VERSION_NUMBER). If it is a plain http server, write http: in the URL') });
    await secure.close();
  });

  it('does not dial a URL that is refused', async () => {
    await expect(guardedFor('http://10.0.0.1').fetch('http://10.0.0.1/', {})).rejects.toMatchObject({ code: 'blocked_address' });
  });

  it("dials none of the program's own listeners, also under a name that leads to them", async () => {
    const port = Number(new URL(origin).port);
    const own = { reach: { ...machine, ownPorts: new Set([port]) }, resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
    await expect(guardedFor(origin, own).fetch(origin, {})).rejects.toMatchObject({ code: 'blocked_address', message: expect.stringContaining('own_listener') });
    const named = guardedFor(`http://some.example:${port}`, own);
    await expect(named.fetch(`http://some.example:${port}/`, {})).rejects.toMatchObject({ code: 'blocked_address', message: expect.stringContaining('own_listener') });
  });

  it('reaches a listed origin under a name that leads to this machine, for a workspace that may not', async () => {
    const port = Number(new URL(origin).port);
    const listed = `http://tools.internal:${port}`;
    answer = (_, response) => response.end('here');
    const reach = { ...machine, allowLoopback: false, httpsOnly: true, localOrigins: new Set([listed]) };
    const named = guardedFor(listed, { reach, resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    expect(await (await named.fetch(`${listed}/`, {})).text()).toBe('here');
    await named.close();
  });

  it('waits for the first byte of a body only so long', async () => {
    answer = (_, response) => response.writeHead(200).flushHeaders();
    const response = await make({ firstByteMs: 20 }).fetch(origin, {});
    await expect(response.text()).rejects.toMatchObject({ code: 'body_timeout' });
  });

  it('lets a body that has begun take its time, up to a limit for all of it', async () => {
    answer = (_, response) => void response.writeHead(200).write('x');
    const ends: BodyEnd[] = [];
    const response = await make({ firstByteMs: 20, totalMs: 100 }).fetch(origin, {}, { onBodyEnd: (end) => ends.push(end) });
    await expect(response.text()).rejects.toMatchObject({ code: 'total_timeout' });
    expect(ends).toMatchObject([{ code: 'total_timeout' }]);
  });

  it('names itself, sends no cookies and hands none on', async () => {
    answer = (request, response) => response.writeHead(200, { 'set-cookie': 'a=b' }).end(JSON.stringify([request.headers['user-agent'], request.headers.cookie ?? null]));
    const response = await guarded.fetch(origin, { headers: { cookie: 'a=b' } });
    expect([await response.json(), response.headers.get('set-cookie')]).toEqual([['toolledger/test', null], null]);
  });

  it.each([
    ['/mcp/v2?key=secret', '/mcp/v2', 'to another of its own addresses, which is not followed. Register the final address.'],
    ['https://elsewhere.example/private?x=1', null, 'to https://elsewhere.example, which is not followed. If you trust that server, register its address.'],
    ['//elsewhere.example/private', null, 'to http://elsewhere.example,'],
    ['javascript:alert(1)', null, '(HTTP 308), which is not followed.'],
    [`/${'a'.repeat(500)}`, null, 'to another of its own addresses'],
  ])('keeps of a redirect to %.40s where on the same origin it leads', async (location, path, said) => {
    answer = (_, response) => response.writeHead(308, { location }).end();
    await expect(guarded.fetch(origin, {})).rejects.toMatchObject({ code: 'redirect_refused', path, message: expect.stringContaining(said) });
  });
});

function guardedFor(origin: string, { reach = machine, resolve = systemResolve, tight = {}, bearer = null }: { readonly reach?: UrlPolicy; readonly resolve?: Resolve; readonly tight?: Partial<FetchLimits>; readonly bearer?: string | null } = {}): GuardedFetch {
  const policy = mcpPolicy({ origin, token: () => bearer, reach, limits: { ...limits, ...tight } });
  return makeGuardedFetch({ policy, resolve, userAgent: 'toolledger/test' });
}
