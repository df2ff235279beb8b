import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startEverythingServerOverSse, startProxiedEverythingServer, type EverythingServer } from '../../support/everythingServer.js';
import { startModernOnlyServer } from '../../support/modernOnlyServer.js';
import { clientFor, never, patient, someServer } from '../../support/mcpClientUnderTest.js';

interface Peer {
  readonly name: string;
  readonly start: () => Promise<EverythingServer>;
}

const peers: readonly Peer[] = [
  { name: 'the reference server over HTTP with SSE', start: startEverythingServerOverSse },
  {
    name: 'the reference server behind mcp-proxy, over Streamable HTTP',
    start: async () => {
      const { streamable, stop } = await startProxiedEverythingServer();
      return { url: streamable, stop };
    },
  },
  {
    name: 'the reference server behind mcp-proxy, over HTTP with SSE',
    start: async () => {
      const { sse, stop } = await startProxiedEverythingServer();
      return { url: sse, stop };
    },
  },
];

describe.each(peers)('the MCP client with $name', ({ start }) => {
  let server: EverythingServer;
  let client: ReturnType<typeof clientFor>;

  beforeAll(async () => {
    server = await start();
    client = clientFor(server.url);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  it('lists its tools', async () => {
    const outcome = await client.connect(someServer, never);
    if (!outcome.ok) throw new Error(`${outcome.class}: ${outcome.message}`);
    expect(outcome.listing.tools.map(({ name }) => name)).toContain('echo');
  });

  it('calls them, side by side too', async () => {
    await client.connect(someServer, never);
    const texts = ['a', 'b', 'c'];
    const outcomes = await Promise.all(texts.map((message) => client.call(someServer, 'echo', { message }, patient)));
    expect(outcomes).toMatchObject(texts.map((text) => ({ kind: 'answered', content: [{ type: 'text', text: `Echo: ${text}` }] })));
  });

  it('gives up a long call and goes on with the next', async () => {
    await client.connect(someServer, never);
    const long = client.call(someServer, 'trigger-long-running-operation', { duration: 60, steps: 1 }, { ...patient, timeoutMs: 100 });
    expect(await long).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    await client.connect(someServer, never);
    expect(await client.call(someServer, 'echo', { message: 'after' }, patient)).toMatchObject({ kind: 'answered' });
  });
});

it('names a server of the newer SDK that only speaks 2026-07-28', async () => {
  const server = await startModernOnlyServer();
  const client = clientFor(server.url);
  expect(await client.connect(someServer, never)).toMatchObject({
    ok: false,
    class: 'needs_newer_client',
    message: expect.stringMatching(/only speaks a newer revision of MCP than this client, which speaks 2025-11-25, .* It says: \u201c2026-07-28\u201d$/),
  });
  await client.close();
  await server.stop();
});
