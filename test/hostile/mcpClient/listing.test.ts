import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { McpClient } from '../../../src/mcp/client/remoteServers.js';
import type { ToolListing } from '../../../src/tools/remoteTools.js';
import { listing, on, plainTool, replyResult, startHostileMcpServer, type HostileMcpServer } from '../../support/hostileMcpServer.js';
import { clientFor, never, someServer } from '../../support/mcpClientUnderTest.js';

describe('listing the tools of a server that misbehaves', () => {
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

  async function list(): Promise<ToolListing> {
    const outcome = await client.connect(someServer, never);
    if (!outcome.ok) throw new Error(`${outcome.class}: ${outcome.message}`);
    return outcome.listing;
  }

  /** Answers the nth request for a page with the nth page, the last one again and again. */
  const pages = (...all: readonly { readonly tools: readonly unknown[]; readonly nextCursor?: unknown }[]) => {
    let at = 0;
    server.behave(on('tools/list', (message, response) => replyResult(response, message, all[Math.min(at++, all.length - 1)])));
  };
  const asked = () => server.seen.filter(({ method }) => method === 'tools/list').map(({ params }) => params['cursor']);
  const tool = (name: string, more: object = {}) => ({ ...plainTool, name, ...more });

  it.each([
    ['no schema', { inputSchema: undefined }, 'bad_input_schema'],
    ['a null schema', { inputSchema: null }, 'bad_input_schema'],
    ['a boolean schema', { inputSchema: true }, 'bad_input_schema'],
    ['an empty schema', { inputSchema: {} }, 'bad_input_schema'],
    ['a schema that is no object at its root', { inputSchema: { oneOf: [] } }, 'bad_input_schema'],
    ['an unknown dialect', { inputSchema: { type: 'object', $schema: 'https://evil.example/schema' } }, 'schema_dialect'],
    ['a schema that lies elsewhere', { inputSchema: { type: 'object', properties: { a: { $ref: 'https://evil.example/a' } } } }, 'schema_remote_ref'],
    ['an output schema that is none', { outputSchema: 'text' }, 'bad_output_schema'],
    ['annotations that are none', { annotations: 'readOnly' }, 'bad_annotations'],
    ['a number as description', { description: 7 }, 'bad_description'],
    ['a description over the limit', { description: 'x'.repeat(65_536) }, 'definition_too_large'],
    ['hidden characters in a key', { inputSchema: { type: 'object', properties: { 'a\u200b': {} } } }, 'definition_hidden_keys'],
  ])('leaves out a tool with %s and keeps the others', async (_, more, reason) => {
    server.behave(listing(tool('good'), tool('bad', more), tool('other')));
    const { tools, skipped } = await list();
    expect(tools.map(({ name }) => name)).toEqual(['good', 'other']);
    expect(skipped).toEqual([{ name: 'bad', reason }]);
  });

  it('leaves out a tool nested ten thousand levels deep', async () => {
    const deep = `${'{"a":'.repeat(10_000)}{}${'}'.repeat(10_000)}`;
    const text = `{"tools":[${JSON.stringify(plainTool)},{"name":"deep","inputSchema":{"type":"object","properties":${deep}}}]}`;
    server.behave(on('tools/list', ({ id }, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`)));
    const { tools, skipped } = await list();
    expect(tools).toHaveLength(1);
    expect(skipped).toEqual([{ name: 'deep', reason: 'definition_too_deep' }]);
  });

  it.each([null, 'text', 7, []])('leaves out %j in place of a tool', async (entry) => {
    server.behave(listing(entry, plainTool));
    expect(await list()).toMatchObject({ tools: [{ name: 'plain' }], skipped: [{ name: null, reason: 'bad_tool' }] });
  });

  it('shows names that cannot be used without what hides in them', async () => {
    server.behave(listing(tool('evil\u202e\u001b[31m'), tool(''), tool('x'.repeat(300))));
    expect((await list()).skipped).toEqual([
      { name: 'evil[31m', reason: 'bad_name' },
      { name: null, reason: 'bad_name' },
      { name: `${'x'.repeat(127)}…`, reason: 'bad_name' },
    ]);
  });

  it('gives names that model providers refuse an alias and keeps the own name for the call', async () => {
    server.behave(listing(tool('get weather'), tool('__proto__'), tool('日本語')));
    const { tools } = await list();
    expect(tools.map(({ remoteName }) => remoteName)).toEqual(['get weather', '__proto__', '日本語']);
    for (const { name } of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  it('takes neither of two different tools with one name, and one of two that are the same', async () => {
    server.behave(listing(tool('two'), tool('same'), tool('two', { description: 'Another.' }), tool('same')));
    const { tools, skipped } = await list();
    expect(tools.map(({ name }) => name)).toEqual(['same']);
    expect(skipped).toEqual([{ name: 'two', reason: 'duplicate_name' }]);
  });

  it('takes a missing description for an empty one', async () => {
    server.behave(listing(tool('plain', { description: null })));
    expect((await list()).tools[0]?.definition.description).toBe('');
  });

  it('follows pages to the end', async () => {
    pages({ tools: [tool('a')], nextCursor: 'next' }, { tools: [tool('b')], nextCursor: null });
    expect((await list()).tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(asked()).toEqual([undefined, 'next']);
  });

  it('follows an empty cursor once', async () => {
    pages({ tools: [tool('a')], nextCursor: '' }, { tools: [tool('b')], nextCursor: '' });
    const { tools, skipped } = await list();
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(skipped).toEqual([{ name: null, reason: 'list_repeats' }]);
    expect(asked()).toEqual([undefined, '']);
  });

  it('stops at a page that brings nothing new, whatever its cursor', async () => {
    let cursor = 0;
    server.behave(on('tools/list', (message, response) => replyResult(response, message, { tools: [plainTool], nextCursor: String(cursor++) })));
    const { tools, skipped } = await list();
    expect(tools).toHaveLength(1);
    expect(skipped).toEqual([{ name: null, reason: 'list_repeats' }]);
    expect(asked()).toHaveLength(2);
  });

  it('stops after the pages allowed', async () => {
    let cursor = 0;
    server.behave(on('tools/list', (message, response) => replyResult(response, message, { tools: [], nextCursor: String(cursor++) })));
    expect((await list()).skipped).toEqual([{ name: null, reason: 'too_many_pages' }]);
    expect(asked()).toHaveLength(50);
  });

  it('takes the tools allowed of a list of twenty thousand and says so', async () => {
    server.behave(listing(...Array.from({ length: 20_000 }, (_, index) => tool(`t${index}`))));
    const { tools, skipped } = await list();
    expect(tools).toHaveLength(128);
    expect(skipped).toEqual([{ name: null, reason: 'too_many_tools' }]);
  });

  it('names a bounded number of bad tools', async () => {
    server.behave(listing(...Array.from({ length: 1_000 }, (_, index) => tool(`t${index}`, { inputSchema: null }))));
    const { skipped } = await list();
    expect(skipped).toHaveLength(129);
    expect(skipped.at(-1)).toEqual({ name: null, reason: 'too_many_skipped' });
  });

  it('takes a server that does not know of tools for one without any', async () => {
    server.behave(on('tools/list', ({ id }, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }))));
    expect(await list()).toEqual({ tools: [], skipped: [], instructions: null });
  });

  it('gives up a list that takes too long', async () => {
    server.behave(on('tools/list', () => undefined));
    const hasty = clientFor(server.url, { tight: { listMs: 150 } });
    expect(await hasty.connect(someServer, never)).toMatchObject({ ok: false, class: 'timeout' });
  });
});
