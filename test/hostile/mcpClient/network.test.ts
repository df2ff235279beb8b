import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultClientLimits } from '../../../src/mcp/client/limits.js';
import type { McpClient } from '../../../src/mcp/client/remoteServers.js';
import {
  broken,
  endlessEvent,
  endlessExplanation,
  endlessProgress,
  endsEveryStream,
  expiredSession,
  failsWhenInitialized,
  hugeResponse,
  notificationAnswered,
  odd,
  redirects,
  refusesStreams,
  silent,
  speaks,
  wrongContent,
} from '../../support/hostile/networkModes.js';
import { on, reply, startHostileMcpServer, type HostileMcpServer } from '../../support/hostileMcpServer.js';
import { clientFor, never, patient, someServer } from '../../support/mcpClientUnderTest.js';

const token = ['sk', 'live', 'abcdefghijklmnop'].join('-');

describe('the network side of the MCP client', () => {
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

  const connect = (from = client) => from.connect(someServer, never);
  const call = (options = patient) => client.call(someServer, 'plain', {}, options);
  const count = (method: string) => server.seen.filter((message) => message.method === method || message.httpMethod === method).length;

  it('case 1: shakes hands once more after the session expired, and sends the call never again', async () => {
    await connect();
    server.behave(expiredSession);
    expect(await call()).toMatchObject({ kind: 'rejected', code: 'session_expired' });
    server.behave(() => false);
    expect(await connect()).toMatchObject({ ok: true });
    expect([count('initialize'), count('tools/call')]).toEqual([2, 1]);
    expect((await server.received('initialize', 2)).headers['mcp-session-id']).toBeUndefined();
  });

  it('case 2: picks a stream up six times a minute at most, and otherwise waits', async () => {
    await connect();
    server.behave(endsEveryStream(1));
    const caller = new AbortController();
    const outcome = call({ ...patient, signal: caller.signal });
    await server.received('GET', defaultClientLimits.resumesPerMinute);
    caller.abort();
    expect(await outcome).toMatchObject({ kind: 'unknown', cause: 'cancelled' });
    expect([count('GET'), count('tools/call')]).toEqual([6, 1]);
  });

  it('case 2: opens no stream for unasked messages', async () => {
    await connect();
    await call();
    expect(count('GET')).toBe(0);
  });

  it('case 2: waits as long as the server says before it picks a stream up, and no timer overflows', async () => {
    await connect();
    server.behave(endsEveryStream(9_999_999_999));
    expect(await call({ ...patient, timeoutMs: 300 })).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    expect(count('GET')).toBe(0);
  });

  it.each([404, 400, 406, 501])('case 3: loses the call, not the program, when a GET is answered with %i', async (status) => {
    await connect();
    server.behave(refusesStreams(status));
    expect(await call()).toMatchObject({ kind: 'unknown', cause: 'connection_lost' });
    expect([count('GET'), count('tools/call')]).toEqual([1, 1]);
  });

  it.each([
    ['19: a response that does not end', hugeResponse],
    ['20: an event that does not end', endlessEvent],
  ])('case %s is cut at the limit', async (_, mode) => {
    await connect();
    server.behave(mode);
    // What this process holds already is other tests'.
    const before = process.memoryUsage().rss;
    expect(await call()).toMatchObject({ kind: 'unknown', cause: 'protocol_error', message: expect.stringContaining('larger than the 8388608 bytes allowed') });
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 ** 2);
  });

  it('case 21: reads no more than the start of an explanation that does not end', async () => {
    server.behave(endlessExplanation);
    const outcome = await connect();
    expect(outcome).toMatchObject({ ok: false, class: 'server_error', message: 'It answered HTTP 503.' });
  });

  it.each(['initialize', 'notifications/initialized', 'tools/list'])('case 22: gives an attempt up when %s is never answered', async (method) => {
    server.behave(silent(method));
    const hasty = clientFor(server.url, { tight: { connectMs: 250 } });
    expect(await connect(hasty)).toMatchObject({ ok: false, class: 'timeout' });
  });

  it('case 23: ends a call in its time, however much progress there is', async () => {
    await connect();
    server.behave(endlessProgress);
    expect(await call({ ...patient, timeoutMs: 200 })).toMatchObject({ kind: 'unknown', cause: 'timeout' });
  });

  it.each([
    ['a web page', wrongContent('text/html', '<html></html>')],
    ['plain text', wrongContent('text/plain', 'Please sign in')],
    ['no content type', wrongContent(null, '{}')],
    ['202 without an answer', wrongContent(null, '', 202)],
  ])('case 24: takes %s for no MCP', async (_, mode) => {
    server.behave(mode);
    expect(await connect()).toMatchObject({ ok: false, class: 'not_mcp' });
  });

  it.each(Object.entries(odd))('case 25: takes an answer with %s', async (_, mode) => {
    await connect();
    server.behave(mode);
    expect(await call()).toMatchObject({ kind: 'answered' });
  });

  it.each([200, 204])('case 25: takes %i as the answer to a notification', async (status) => {
    server.behave(notificationAnswered(status));
    expect(await connect()).toMatchObject({ ok: true });
  });

  it.each(Object.entries(broken))('case 26: names an answer with %s, at once and shortly', async (_, mode) => {
    await connect();
    server.behave(mode);
    const outcome = await call();
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'protocol_error' });
    expect(JSON.stringify(outcome).length).toBeLessThan(300);
  });

  it('case 27: counts a failure in the second step of the handshake as the server\'s', async () => {
    server.behave(failsWhenInitialized);
    expect(await connect()).toMatchObject({ ok: false, class: 'server_error' });
  });

  it.each([
    ['1999-01-01', 'protocol_error'],
    ['2026-07-28', 'needs_newer_client'],
  ])('case 28: names a server of revision %s', async (version, expected) => {
    server.behave(speaks(version));
    expect(await connect()).toMatchObject({ ok: false, class: expected });
  });

  it.each([301, 302, 303, 307, 308])('case 29: follows no redirect %i, and sends the token nowhere else', async (status) => {
    const elsewhere = await startHostileMcpServer();
    server.behave(redirects(status, `${elsewhere.origin}/mcp?key=1`));
    const outcome = await connect(clientFor(server.url, { token }));
    expect(outcome).toMatchObject({ ok: false, class: 'redirect_refused', message: expect.stringContaining(`to ${elsewhere.origin}, which is not followed`) });
    expect(JSON.stringify(outcome)).not.toContain('key=1');
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.stop();
  });

  it('case 29: names the address to register, to who registers it, when a server redirects within its origin', async () => {
    server.behave(redirects(307, '/mcp/v2?session=1'));
    expect(await client.probe({ url: server.url, token: null, workspace: 'local' }, never)).toMatchObject({
      class: 'redirect_refused',
      message: expect.stringMatching(new RegExp(`It names ${server.origin}/mcp/v2 \\(query left out\\)\\.$`)),
    });
    const later = await connect();
    expect(later).toMatchObject({ class: 'redirect_refused' });
    expect(JSON.stringify(later)).not.toContain('/mcp/v2');
  });

  it('case 30: sends the token with requests to the registered origin and with nothing else', async () => {
    const signedIn = clientFor(server.url, { token });
    await connect(signedIn);
    await signedIn.close();
    expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${token}`]));
  });

  it.each(['http://169.254.169.254/mcp', 'http://2852039166/mcp', 'http://0xa9.0xfea9fe/mcp', 'http://[::ffff:169.254.169.254]/mcp', 'http://10.0.0.1/mcp', 'http://[64:ff9b::7f00:1]/mcp'])(
    'case 41: does not dial the address in %s, for which nothing is looked up',
    async (url) => {
      const resolve = (name: string) => Promise.reject(new Error(`looked up ${name}`));
      expect(await connect(clientFor(url, { resolve }))).toMatchObject({ ok: false, class: 'blocked_address' });
    },
  );

  it('case 41: does not dial a name that leads to a refused address', async () => {
    const resolve = async () => [{ address: '169.254.169.254', family: 4 }];
    expect(await connect(clientFor('http://innocent.example/mcp', { resolve }))).toMatchObject({ ok: false, class: 'blocked_address' });
  });

  it.each(['tools/list', 'notifications/initialized'])('case 48: ends the session of an attempt that fails at %s', async (method) => {
    server.behave(on(method, (_, response) => reply(response, '', 500)));
    expect(await connect()).toMatchObject({ ok: false, class: 'server_error' });
    expect(server.seen.at(-1)).toMatchObject({ httpMethod: 'DELETE', headers: { 'mcp-session-id': 'session-1' } });
  });

  it('case 48: waits only so long for a goodbye that is not answered', async () => {
    server.behave((message) => message.httpMethod === 'DELETE');
    const brief = clientFor(server.url, { tight: { goodbyeMs: 50 } });
    await connect(brief);
    await brief.close();
    expect(count('DELETE')).toBe(1);
  });

  it.each([
    ['seconds', '90', 90_000],
    ['a date', 'Thu, 01 Jan 1970 00:02:00 GMT', 120_000],
    ['nothing usable', 'soon', null],
  ])('says how long a busy server asks to wait, given as %s', async (_, header, retryAfterMs) => {
    server.behave(on('initialize', (_message, response) => reply(response, '', 429, { 'retry-after': header })));
    expect(await connect()).toMatchObject({ ok: false, class: 'rate_limited', retryAfterMs });
  });

  it('tells a server its own name and version, and neither workspace nor server id', async () => {
    await connect();
    await call();
    await client.close();
    expect(server.seen.find(({ method }) => method === 'initialize')?.params).toMatchObject({ clientInfo: { name: 'toolledger', version: '0.0.0-test' }, capabilities: {} });
    expect(new Set(server.seen.map(({ headers }) => headers['user-agent']))).toEqual(new Set(['toolledger/0.0.0-test']));
    expect(JSON.stringify(server.seen)).not.toContain(someServer.serverId);
    expect(server.seen.every(({ headers }) => headers.cookie === undefined)).toBe(true);
  });

  it('says that the address was lost as a fault of our own', async () => {
    const empty = clientFor(server.url, { lookup: async () => null });
    expect(await connect(empty)).toMatchObject({ ok: false, class: 'address_missing' });
  });

  it('reaches an origin on this machine for a guild when the deployment lists it, and no other', async () => {
    const guild = { ...someServer, workspace: 'g1' };
    const listed = clientFor(server.url, { reach: { localOrigins: new Set([server.origin]), ownPorts: new Set() } });
    expect(await listed.connect(guild, never)).toMatchObject({ ok: true });
    await listed.close();
    const other = clientFor(server.url, { reach: { localOrigins: new Set(['http://127.0.0.1:1']), ownPorts: new Set() } });
    expect(await other.connect(guild, never)).toMatchObject({ ok: false, class: 'blocked_address' });
  });

  it('ends the probe of a server that does not answer when the client closes', async () => {
    server.behave(silent('initialize'));
    const probe = client.probe({ url: server.url, token: null, workspace: 'local' }, never);
    await server.received('initialize');
    await client.close();
    expect(await probe).toMatchObject({ ok: false, class: 'cancelled' });
  });

  it("does not dial the program's own endpoint under any name", async () => {
    const port = Number(new URL(server.origin).port);
    const reach = { localOrigins: new Set<string>(), ownPorts: new Set([port]) };
    const resolve = async () => [{ address: '::1', family: 6 }];
    for (const url of [server.url, `http://localhost:${port}/mcp`, `http://me.example:${port}/mcp`]) {
      expect(await connect(clientFor(url, { reach, resolve }))).toMatchObject({ class: 'blocked_address', message: expect.stringContaining('own_listener') });
    }
    expect(server.seen).toEqual([]);
  });
});
