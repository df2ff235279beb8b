import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpClient } from '../../../src/mcp/client/remoteServers.js';
import { startEverythingServer, type EverythingServer } from '../../support/everythingServer.js';
import { clientFor, never, patient, someServer } from '../../support/mcpClientUnderTest.js';

describe('the MCP client with the reference server', () => {
  let server: EverythingServer;
  let client: McpClient;

  beforeAll(async () => {
    server = await startEverythingServer();
    client = clientFor(server.url);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  it('lists the tools, each with the hash of what is shown, and leaves out the one that only runs as a task', async () => {
    const outcome = await client.connect(someServer, never);
    if (!outcome.ok) throw new Error(outcome.message);
    const echo = outcome.listing.tools.find((tool) => tool.name === 'echo');
    expect(echo).toMatchObject({ remoteName: 'echo', definition: { name: 'echo', inputSchema: { type: 'object' } } });
    expect(echo?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(outcome.listing.skipped).toEqual([{ name: 'simulate-research-query', reason: 'task_required' }]);
  });

  it('calls a tool and hands on its content', async () => {
    await client.connect(someServer, never);
    expect(await client.call(someServer, 'echo', { message: 'hi' }, patient)).toEqual({
      kind: 'answered',
      isError: false,
      content: [{ type: 'text', text: 'Echo: hi' }],
      structured: null,
    });
  });

  it('hands on structured content', async () => {
    await client.connect(someServer, never);
    const outcome = await client.call(someServer, 'get-structured-content', { location: 'New York' }, patient);
    expect(outcome).toMatchObject({ kind: 'answered', structured: { conditions: expect.any(String) } });
  });

  it('says when the tool itself reports an error', async () => {
    await client.connect(someServer, never);
    expect(await client.call(someServer, 'echo', { wrong: true }, patient)).toMatchObject({ kind: 'answered', isError: true });
  });

  it('runs calls side by side on one connection', async () => {
    await client.connect(someServer, never);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => client.call(someServer, 'echo', { message: String(index) }, patient)),
    );
    expect(outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.content[0]?.['text'] : outcome.kind))).toEqual(
      Array.from({ length: 8 }, (_, index) => `Echo: ${index}`),
    );
  });

  it('gives up a long call when its caller does, and goes on with the next', async () => {
    await client.connect(someServer, never);
    const caller = new AbortController();
    const long = client.call(someServer, 'trigger-long-running-operation', { duration: 60, steps: 1 }, { timeoutMs: 60_000, signal: caller.signal });
    await client.call(someServer, 'echo', { message: 'in between' }, patient);
    caller.abort();
    expect(await long).toMatchObject({ kind: 'unknown', cause: 'cancelled' });
    expect(await client.call(someServer, 'echo', { message: 'after' }, patient)).toMatchObject({ kind: 'answered' });
  });

  it('probes a server once and lets go of it', async () => {
    const outcome = await client.probe({ url: server.url, token: null, workspace: 'local' }, never);
    expect(outcome).toMatchObject({ ok: true });
  });
});
