import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { z } from 'zod';
import { ownerOperations } from '../../src/app/owner/ownerOperations.js';
import { toolledger, toolledgerJson } from '../support/cli/program.js';
import { startServe, type Served } from '../support/cli/served.js';

jest.setTimeout(120_000);

const newDirectory = dataDirectories();

describe('the MCP endpoint of a running toolledger', () => {
  const data = newDirectory();
  let served: Served;
  let client: Client;

  beforeAll(async () => {
    served = await startServe(data);
    client = await connect(served.token);
  });
  afterAll(async () => {
    await client.close();
    await served.stop();
  });

  async function connect(token: string): Promise<Client> {
    const connecting = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${served.origin}/mcp`), { requestInit: { headers: { authorization: `Bearer ${token}` } } });
    await connecting.connect(transport);
    return connecting;
  }

  it('offers the tools that workspace local may use', async () => {
    const { tools } = await client.listTools();
    expect(tools).toEqual([expect.objectContaining({ name: 'roll_dice', inputSchema: expect.objectContaining({ type: 'object' }) })]);
  });

  it('puts what it shows on record, once until it differs, with the texts, and calls under the session it was shown to', async () => {
    const other = await connect(served.token);
    for (let time = 0; time < 2; time += 1) await other.listTools();
    await toolledgerJson(data, ['tools', 'off', 'roll_dice']);
    await other.listTools();
    await toolledgerJson(data, ['tools', 'on', 'roll_dice']);
    const result = await other.callTool({ name: 'roll_dice', arguments: { notation: 'd6' } });
    await other.close();
    const life = await toolledger(data, ['audit', 'show', String(result._meta?.['toolledger/callId'])]);
    expect(life.stdout).toMatch(/What its turn had been shown \(.*\):\n {2}no tool\n {2}not roll_dice: switched_off/);

    const ledger = new Database(join(data, 'ledger.db'), { readonly: true });
    const turn = ledger.prepare('SELECT correlation FROM events WHERE stream = ?').pluck().get(`toolCall-${String(result._meta?.['toolledger/callId'])}`);
    const declared = ledger.prepare('SELECT type, data FROM events WHERE stream = ? ORDER BY revision').all(`turn-${String(turn)}`) as { type: string; data: string }[];
    const shown = declared.map(({ data: text }) => JSON.parse(text) as { tools: { name: string; definition: string }[]; leftOut: unknown[] });
    expect(shown).toEqual([
      { tools: [{ name: 'roll_dice', definition: expect.stringMatching(/^[0-9a-f]{64}$/) }], leftOut: [], undiscovered: [] },
      { tools: [], leftOut: [{ name: 'roll_dice', reasons: ['switched_off'] }], undiscovered: [] },
    ]);
    const text = ledger.prepare('SELECT data FROM events WHERE stream = ?').pluck().all(`toolDefinition-${String(shown[0]?.tools[0]?.definition)}`) as string[];
    expect(text.map((one) => JSON.parse(one) as unknown)).toEqual([expect.objectContaining({ definition: expect.objectContaining({ name: 'roll_dice', inputSchema: expect.anything() }) })]);
    ledger.close();
  });

  it('runs a call through the ledger', async () => {
    const result = await client.callTool({ name: 'roll_dice', arguments: { notation: '3d6' } });
    expect(result).toMatchObject({ structuredContent: { notation: '3d6', total: expect.any(Number) } });
    const life = await toolledger(data, ['audit', 'show', String(result._meta?.['toolledger/callId'])]);
    expect(life.stdout).toMatch(/through mcp[^]*ToolCallSucceeded/);
  });

  it('offers no way to administer anything', async () => {
    for (const name of ownerOperations.keys()) {
      expect(await client.callTool({ name, arguments: { name: 'roll_dice', tool: 'roll_dice', on: false, workspace: 'local' } })).toMatchObject({ isError: true });
      await expect(client.request({ method: name, params: {} }, z.unknown())).rejects.toMatchObject({ code: -32601 });
    }
    expect((await client.listTools()).tools).toMatchObject([{ name: 'roll_dice' }]);
  });

  it('answers a repeated call id from the record', async () => {
    const call = { name: 'roll_dice', arguments: { notation: '1000d6' }, _meta: { 'toolledger/callId': 'again' } };
    const first = await client.callTool(call);
    const second = await client.callTool(call);
    expect(second._meta).toEqual({ ...first._meta, 'toolledger/replayed': true });
  });

  it('gives a refusal as an error result with call id and reason codes', async () => {
    await toolledgerJson(data, ['tools', 'off', 'roll_dice']);
    try {
      expect((await client.listTools()).tools).toEqual([]);
      const result = await client.callTool({ name: 'roll_dice', arguments: { notation: 'd6' } });
      expect(result).toMatchObject({
        isError: true,
        structuredContent: { status: 'refused', callId: result._meta?.['toolledger/callId'], error: { reasons: ['switched_off'] } },
      });
      expect((await client.callTool({ name: 'no_such_tool' })).structuredContent).toMatchObject({ error: { reasons: ['unknown_tool'] } });
    } finally {
      await toolledgerJson(data, ['tools', 'on', 'roll_dice']);
    }
  });

  it('takes no other token, and none', async () => {
    await expect(connect('x'.repeat(43))).rejects.toThrow('unauthorized');
    expect((await ask('/mcp', {})).statusCode).toBe(401);
  });

  it('refuses a foreign host or origin before it looks at the token', async () => {
    const token = { authorization: `Bearer ${served.token}` };
    const foreign = [{ host: 'tool.example' }, { origin: 'https://tool.example' }, { origin: 'null' }];
    for (const headers of foreign) {
      expect((await ask('/mcp', headers)).statusCode).toBe(403);
      expect((await ask('/mcp', { ...headers, ...token })).statusCode).toBe(403);
    }
  });

  it('has no sign-in to be discovered', async () => {
    for (const path of ['oauth-protected-resource', 'oauth-protected-resource/mcp', 'oauth-authorization-server', 'openid-configuration']) {
      expect((await ask(`/.well-known/${path}`, {})).statusCode).toBe(404);
    }
  });

  // fetch() does not let its caller set Host and Origin.
  async function ask(path: string, headers: { readonly [name: string]: string }): Promise<IncomingMessage> {
    const asked = request(`${served.origin}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
    asked.end('{}');
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response;
  }
});
