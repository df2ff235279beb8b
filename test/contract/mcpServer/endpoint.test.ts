import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { McpEndpointOptions } from '../../../src/mcp/server/endpoint.js';
import { Fault } from '../../../src/platform/fault.js';
import type { CallAnswer, CallRequest } from '../../../src/tools/call.js';
import { serveEndpoint, token, type ServedEndpoint } from '../../support/mcpServer/servedEndpoint.js';

let served: ServedEndpoint[];
let clients: Client[];
beforeEach(() => {
  served = [];
  clients = [];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all(served.map((each) => each.close()));
});

async function serve(offer: Partial<McpEndpointOptions>): Promise<ServedEndpoint> {
  const endpoint = await serveEndpoint(offer);
  served.push(endpoint);
  return endpoint;
}

async function connect({ url }: ServedEndpoint, bearer = token): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${bearer}` } } }));
  return client;
}

/** A client of an endpoint whose calls all get this answer. */
const answering = async (answer: CallAnswer): Promise<Client> => connect(await serve({ callTool: async () => answer }));

const call = (client: Client, args: Record<string, unknown> = {}, meta: Record<string, unknown> = {}) =>
  client.callTool({ name: 'tool', arguments: args, _meta: meta });

describe('tools/list', () => {
  it('gives the tools with their schemas untouched', async () => {
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { notation: { $ref: '#/$defs/n' } },
      $defs: { n: { type: 'string', 'x-own': [1, null] } },
      additionalProperties: false,
    };
    const client = await connect(
      await serve({
        listTools: async () => [
          { name: 'roll_dice', title: 'Roll dice', description: 'Rolls.', inputSchema, thirdParty: null },
          { name: 'bare', title: null, description: '', inputSchema: { type: 'object' }, thirdParty: 'weather' },
        ],
      }),
    );
    expect((await client.listTools()).tools).toEqual([
      { name: 'roll_dice', title: 'Roll dice', description: 'Rolls.', inputSchema },
      { name: 'bare', description: '', inputSchema: { type: 'object' }, _meta: { 'toolledger/thirdParty': 'weather' } },
    ]);
    expect(client.getServerVersion()).toEqual({ name: 'toolledger', version: '1.2.3' });
  });

  it('that fails says a fault, and of anything else nothing', async () => {
    const fault = await connect(await serve({ listTools: async () => Promise.reject(new Fault('failed', 'view_behind', 'The view is behind.')) }));
    await expect(fault.listTools()).rejects.toThrow('view_behind: The view is behind.');
    const endpoint = await serve({ listTools: async () => Promise.reject(new Error('secret path /root/x')) });
    const message = await (await connect(endpoint)).listTools().catch((error: unknown) => String(error));
    expect(message).toContain('internal_error');
    expect(message).not.toContain('secret');
    expect(endpoint.internal).toEqual([new Error('secret path /root/x')]);
  });
});

describe('tools/call', () => {
  it('hands over tool and arguments as they were written, for the workspace of the endpoint', async () => {
    const asked: CallRequest[] = [];
    const client = await connect(
      await serve({
        callTool: async (request) => {
          asked.push(request);
          return { callId: 'stored', status: 'succeeded', success: true };
        },
      }),
    );
    await call(client, { text: 'x', nested: [{ a: null }] }, { 'toolledger/callId': 'mine-1', 'toolledger/turn': 'turn-1', workspace: 'g1', actor: 'root' });
    await client.callTool({ name: 'bare' });
    expect(asked).toEqual([
      { tool: 'tool', arguments: { text: 'x', nested: [{ a: null }] }, workspace: 'local', callId: 'mine-1', channel: null, roles: [], turn: 'turn-1' },
      { tool: 'bare', arguments: {}, workspace: 'local', callId: null, channel: null, roles: [], turn: null },
    ]);
  });

  it.each(['', 'a b', 'x'.repeat(129), 7, null, 'ü'])('refuses the call id %j without calling', async (id) => {
    let called = false;
    const client = await connect(
      await serve({
        callTool: async () => {
          called = true;
          return { callId: 'stored', status: 'succeeded', success: true };
        },
      }),
    );
    await expect(call(client, {}, { 'toolledger/callId': id })).rejects.toThrow('toolledger/callId');
    expect(called).toBe(false);
  });

  it('gives data as text and, when it is an object, as structured content', async () => {
    const client = await answering({ callId: 'stored', status: 'succeeded', success: true, data: { total: 7, dice: [3, 4] } });
    expect(await call(client)).toEqual({
      content: [{ type: 'text', text: '{"total":7,"dice":[3,4]}' }],
      structuredContent: { total: 7, dice: [3, 4] },
      _meta: { 'toolledger/callId': 'stored', 'toolledger/status': 'succeeded' },
    });
  });

  it.each([
    [[1, 2], '[1,2]'],
    ['text', 'text'],
    [7, '7'],
    [null, 'null'],
  ])('gives data %j as text only', async (data, text) => {
    const result = await call(await answering({ callId: 'stored', status: 'succeeded', success: true, data }));
    expect(result).toMatchObject({ content: [{ type: 'text', text }] });
    expect(result).not.toHaveProperty('structuredContent');
  });

  it('passes the parts of a remote result on, and shows unknown kinds as text', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const client = await answering({ callId: 'stored', status: 'succeeded', success: true, content: [{ type: 'text', text: 'hi' }, image, { type: 'hologram', of: 'x' }] });
    expect((await call(client)).content).toEqual([{ type: 'text', text: 'hi' }, image, { type: 'text', text: '{"type":"hologram","of":"x"}' }]);
  });

  it('says that an answer was replayed, or could not be recorded', async () => {
    const client = await answering({ callId: 'stored', status: 'succeeded', success: true, replayed: true, unrecorded: true });
    expect((await call(client))._meta).toEqual({
      'toolledger/callId': 'stored',
      'toolledger/status': 'succeeded',
      'toolledger/replayed': true,
      'toolledger/unrecorded': true,
    });
  });

  it('says whose data a result is', async () => {
    const client = await answering({ callId: 'stored', status: 'succeeded', success: true, content: [{ type: 'text', text: 'hi' }], thirdParty: 'weather' });
    expect((await call(client))._meta).toEqual({ 'toolledger/callId': 'stored', 'toolledger/status': 'succeeded', 'toolledger/thirdParty': 'weather' });
  });

  it('passes progress on to a client that asked for it', async () => {
    const client = await connect(
      await serve({
        callTool: async (_request, _signal, onProgress) => {
          onProgress({ progress: 1, total: 2, message: 'half' });
          onProgress('nonsense');
          onProgress({ progress: 2, total: null, message: null });
          return { callId: 'stored', status: 'succeeded', success: true };
        },
      }),
    );
    const got: unknown[] = [];
    await client.callTool({ name: 'tool' }, undefined, { onprogress: (progress) => got.push(progress) });
    expect(got).toEqual([{ progress: 1, total: 2, message: 'half' }, { progress: 2 }]);
    expect(await client.callTool({ name: 'tool' })).not.toHaveProperty('isError');
  });

  it('gives a refusal as an error result with call id, reason codes and message', async () => {
    const error = { code: 'not_available', message: 'The tool is switched off.', reasons: ['switched_off', 'server_disabled'] };
    const client = await answering({ callId: 'stored', status: 'refused', success: false, error });
    expect(await call(client)).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'Call stored was refused (not_available, switched_off, server_disabled): The tool is switched off.' }],
      structuredContent: { callId: 'stored', status: 'refused', error },
      _meta: { 'toolledger/callId': 'stored', 'toolledger/status': 'refused' },
    });
  });

  it.each([
    ['failed', 'Call stored failed (x): y'],
    ['cancelled', 'Call stored was cancelled (x): y'],
    ['unknown', 'Call stored was sent, and its outcome is unknown (x): y'],
    ['in_progress', 'Call stored is still running (x): y'],
  ] as const)('says in words that a call is %s', async (status, text) => {
    const client = await answering({ callId: 'stored', status, success: false, error: { code: 'x', message: 'y', reasons: ['x'] } });
    expect(await call(client)).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
  });

  it('shows what a remote tool said when it failed', async () => {
    const client = await answering({ callId: 'stored', status: 'failed', success: false, error: { code: 'tool_error', message: 'The tool failed.' }, content: [{ type: 'text', text: 'no such city' }] });
    expect((await call(client)).content).toEqual([
      { type: 'text', text: 'Call stored failed (tool_error): The tool failed.' },
      { type: 'text', text: 'no such city' },
    ]);
  });

  it('that throws says a fault, and of anything else nothing', async () => {
    const fault = await connect(await serve({ callTool: async () => Promise.reject(new Fault('failed', 'read_only', 'The disk is full.')) }));
    expect(await call(fault)).toMatchObject({ isError: true, content: [{ type: 'text', text: 'read_only: The disk is full.' }] });
    const endpoint = await serve({ callTool: async () => Promise.reject(new Error('password hunter2')) });
    const result = await call(await connect(endpoint));
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(endpoint.internal).toEqual([new Error('password hunter2')]);
  });

  it('answers many at once, each with its own', async () => {
    const client = await connect(await serve({ callTool: async ({ arguments: data }) => ({ callId: 'stored', status: 'succeeded', success: true, data }) }));
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => call(client, { index })));
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(Array.from({ length: 50 }, (_, index) => ({ index })));
  });
});

describe('a call that is given up', () => {
  /** Calls that run until they are aborted; tells when one starts and which ends. */
  function untilAborted() {
    const starts: (() => void)[] = [];
    const ended: string[] = [];
    const endings: (() => void)[] = [];
    return {
      started: () => new Promise<void>((resolve) => starts.push(resolve)),
      ending: () => new Promise<void>((resolve) => endings.push(resolve)),
      ended,
      callTool: ({ tool }: CallRequest, signal: AbortSignal): Promise<CallAnswer> => {
        starts.shift()?.();
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            ended.push(tool);
            endings.shift()?.();
            resolve({ callId: 'stored', status: 'cancelled', success: false });
          }),
        );
      },
    };
  }

  it('is aborted when the client cancels it, and the same id of another client goes on', async () => {
    const { callTool, started, ending, ended } = untilAborted();
    const endpoint = await serve({ callTool });
    const [mine, other] = [await connect(endpoint), await connect(endpoint)];
    const bothStarted = [started(), started()];
    const controller = new AbortController();
    const given = mine.callTool({ name: 'mine' }, undefined, { signal: controller.signal }).catch(() => 'given up');
    const kept = other.callTool({ name: 'other' }).catch(() => 'connection closed');
    await Promise.all(bothStarted);
    const end = ending();
    controller.abort();
    await Promise.all([given, end]);
    expect(ended).toEqual(['mine']);
    await other.close();
    await kept;
  });

  it('is aborted when the connection ends', async () => {
    const { callTool, started, ending, ended } = untilAborted();
    const client = await connect(await serve({ callTool }));
    const start = started();
    const lost = client.callTool({ name: 'mine' }).catch(() => 'lost');
    await start;
    const end = ending();
    await client.close();
    await Promise.all([lost, end]);
    expect(ended).toEqual(['mine']);
  });
});
