import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { McpClient } from '../../../../src/mcp/client/remoteServers.js';
import type { CallProgress } from '../../../../src/tools/remoteTools.js';
import { callModes, calledSchema, endlessProgress } from '../../../support/hostile/callModes.js';
import { on, reply, replyResult, startHostileMcpServer, type HostileMcpServer } from '../../../support/hostileMcpServer.js';
import { clientFor, never, patient, someServer } from '../../../support/mcpClientUnderTest.js';

describe('a server that, when called,', () => {
  let server: HostileMcpServer;
  let client: McpClient;

  beforeEach(async () => {
    server = await startHostileMcpServer();
    client = clientFor(server.url);
    await client.connect(someServer, never);
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
  });

  const seen = (name: string) => server.seen.filter(({ method }) => method === name).length;

  it.each(callModes)('$title', async ({ behaviour, outcome, withSchema, keeps }) => {
    server.behave(behaviour);
    expect(await client.call(someServer, 'plain', {}, { ...patient, ...(withSchema === true && { outputSchema: calledSchema }) })).toMatchObject(outcome);
    // Whatever became of it, it is never sent again.
    expect(seen('tools/call')).toBe(1);
    await client.connect(someServer, never);
    expect(seen('initialize')).toBe(keeps ? 1 : 2);
    expect(seen('tools/call')).toBe(1);
  });

  it('case 23: makes progress for ever is given up when the time is up', async () => {
    server.behave(endlessProgress);
    const got: CallProgress[] = [];
    const outcome = await client.call(someServer, 'plain', {}, { ...patient, timeoutMs: 300, onProgress: (progress) => got.push(progress) });
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    expect(got[0]).toEqual({ progress: 1, total: null, message: 'step 1' });
    // 200 ms lie between two notices that are passed on.
    expect(got.length).toBeLessThanOrEqual(2);
  });

  it('answers nested a hundred thousand levels deep has an outcome nobody knows, and is called again', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    server.behave(on('tools/call', ({ id }, response) => reply(response, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"a":${deep}}}}`)));
    expect(await client.call(someServer, 'plain', {}, { ...patient, outputSchema: { type: 'object' } })).toMatchObject({ kind: 'unknown', cause: 'protocol_error' });
    server.behave(() => false);
    await client.connect(someServer, never);
    expect(await client.call(someServer, 'plain', {}, patient)).toMatchObject({ kind: 'answered' });
  });

  it('is told that the caller gave up', async () => {
    const caller = new AbortController();
    server.behave(on('tools/call', () => undefined));
    const outcome = client.call(someServer, 'plain', {}, { ...patient, signal: caller.signal });
    const { id } = await server.received('tools/call');
    caller.abort();
    expect(await outcome).toMatchObject({ kind: 'unknown', cause: 'cancelled' });
    expect(await server.received('notifications/cancelled')).toMatchObject({ params: { requestId: id } });
  });

  it('says our own secrets back says them in vain', async () => {
    const token = ['my', 'very', 'own', 'token'].join('-');
    await client.close();
    client = clientFor(`${server.url}?key=${token}-of-the-url`, { token });
    server.behave(on('tools/call', (message, response) => replyResult(response, message, { content: [{ type: 'text', text: `${token} ${token}-of-the-url` }], structuredContent: { token: Buffer.from(token).toString('base64url') } })));
    await client.connect(someServer, never);
    expect(await client.call(someServer, 'plain', {}, patient)).toMatchObject({
      content: [{ type: 'text', text: '[redacted:server_secret] [redacted:server_secret]' }],
      structured: { token: '[redacted:server_secret]' },
    });
  });
});
