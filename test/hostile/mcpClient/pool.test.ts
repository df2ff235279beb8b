import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { McpClient } from '../../../src/mcp/client/remoteServers.js';
import { on, plainTool, replyResult, startHostileMcpServer, type HostileMcpServer } from '../../support/hostileMcpServer.js';
import { clientFor, never, patient, someServer } from '../../support/mcpClientUnderTest.js';

describe('the connections of the MCP client', () => {
  let server: HostileMcpServer;
  let client: McpClient;
  let runIdle: (() => void)[] = [];

  beforeEach(async () => {
    runIdle = [];
    server = await startHostileMcpServer();
    client = clientFor(server.url, {
      schedule: (_, run) => {
        runIdle.push(run);
        return () => {
          runIdle = runIdle.filter((other) => other !== run);
        };
      },
    });
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });

  const count = (method: string) => server.seen.filter((message) => message.method === method).length;

  it('are made once for all who wait at the same time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => client.connect(someServer, never)));
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    expect(count('initialize')).toBe(1);
  });

  it('are kept for whoever comes later', async () => {
    await client.connect(someServer, never);
    await client.connect(someServer, never);
    expect([count('initialize'), count('tools/list')]).toEqual([1, 1]);
  });

  it('come up for the others when one who waits gives up', async () => {
    const impatient = new AbortController();
    const first = client.connect(someServer, impatient.signal);
    const second = client.connect(someServer, never);
    impatient.abort();
    expect(await first).toMatchObject({ ok: false, class: 'cancelled' });
    expect(await second).toMatchObject({ ok: true });
  });

  it('tell a call that comes too late that nothing was sent', async () => {
    expect(await client.call(someServer, 'plain', {}, patient)).toMatchObject({ kind: 'notSent', class: 'unreachable' });
    expect(server.seen).toEqual([]);
  });

  it('list again once after the server said its tools changed, however often it said so', async () => {
    await client.connect(someServer, never);
    server.behave((message, response) => {
      if (message.method === 'tools/list') return replyResult(response, message, { tools: [{ ...plainTool, name: 'renamed' }] });
      if (message.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n'.repeat(100));
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [] } })}\n\n`);
      return true;
    });
    await client.call(someServer, 'plain', {}, patient);
    const outcomes = await Promise.all([client.connect(someServer, never), client.connect(someServer, never)]);
    expect(outcomes).toMatchObject([{ listing: { tools: [{ name: 'renamed' }] } }, { listing: { tools: [{ name: 'renamed' }] } }]);
    expect([count('initialize'), count('tools/list')]).toEqual([1, 2]);
  });

  it('close when nobody used them for a while, and say goodbye', async () => {
    await client.connect(someServer, never);
    runIdle.forEach((run) => run());
    await client.close();
    expect(server.seen.at(-1)).toMatchObject({ httpMethod: 'DELETE', headers: { 'mcp-session-id': 'session-1' } });
    expect(server.seen.filter(({ httpMethod }) => httpMethod === 'DELETE')).toHaveLength(1);
  });

  it('are not closed for idleness while a call is under way', async () => {
    await client.connect(someServer, never);
    let finish = () => undefined as unknown;
    server.behave(on('tools/call', (message, response) => (finish = () => replyResult(response, message, { content: [] }))));
    const call = client.call(someServer, 'plain', {}, patient);
    await server.received('tools/call');
    runIdle.forEach((run) => run());
    finish();
    expect(await call).toMatchObject({ kind: 'answered' });
    await client.connect(someServer, never);
    expect(count('initialize')).toBe(1);
  });

  it('let calls under way end when the server is disconnected, and take no new ones', async () => {
    await client.connect(someServer, never);
    let finish = () => undefined as unknown;
    server.behave(on('tools/call', (message, response) => (finish = () => replyResult(response, message, { content: [] }))));
    const call = client.call(someServer, 'plain', {}, patient);
    await server.received('tools/call');
    await client.disconnect(someServer.serverId);
    expect(await client.call(someServer, 'plain', {}, patient)).toMatchObject({ kind: 'notSent' });
    finish();
    expect(await call).toMatchObject({ kind: 'answered' });
  });

  it('end everything under way when the client closes', async () => {
    await client.connect(someServer, never);
    server.behave(on('tools/call', () => undefined));
    const call = client.call(someServer, 'plain', {}, patient);
    await server.received('tools/call');
    await client.close();
    expect(await call).toMatchObject({ kind: 'unknown', cause: 'connection_lost' });
    expect(await client.connect(someServer, never)).toMatchObject({ ok: false, class: 'cancelled' });
  });

  it.each(['initialize', 'tools/list'])('cut off an attempt under way when the server is disconnected at %s, and the next one is another', async (method) => {
    let finish = () => undefined as unknown;
    server.behave(on(method, (message, response) => (finish = () => replyResult(response, message, { tools: [plainTool] }))));
    const attempt = client.connect(someServer, never);
    await server.received(method);
    await client.disconnect(someServer.serverId);
    expect(await attempt).toMatchObject({ ok: false, class: 'cancelled', cutOff: true });
    finish();
    server.behave(() => false);
    expect(await client.connect(someServer, never)).toMatchObject({ ok: true, listing: { tools: [{ name: 'plain' }] } });
  });

  it('cut off an attempt also when the server refuses meanwhile what has changed', async () => {
    server.behave(on('initialize', (_message, response) => {
      void client.disconnect(someServer.serverId);
      response.writeHead(401).end();
    }));
    expect(await client.connect(someServer, never)).toMatchObject({ ok: false, class: 'cancelled', cutOff: true });
  });

  it('end an attempt under way when the client closes', async () => {
    server.behave(on('initialize', () => undefined));
    const attempt = client.connect(someServer, never);
    await server.received('initialize');
    await client.close();
    const outcome = await attempt;
    expect(outcome).toMatchObject({ ok: false, class: 'cancelled' });
    expect(outcome).not.toHaveProperty('cutOff');
  });

  it('hand on the fault of a vault that cannot be read', async () => {
    const broken = clientFor(server.url, { lookup: () => Promise.reject(new Error('vault closed')) });
    await expect(broken.connect(someServer, never)).rejects.toThrow('vault closed');
  });
});
