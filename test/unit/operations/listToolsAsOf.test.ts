import { describe, expect, it } from '@jest/globals';
import { listToolsAsOf } from '../../../src/operations/tools/listToolsAsOf.js';
import type { LedgerServices } from '../../../src/operations/services.js';
import { makeToolRegistry } from '../../../src/tools/registry.js';
import { builtInTool, caller } from '../../support/dispatch/house.js';
import { TestLedger } from '../../support/projections/testLedger.js';

const serverId = '00000000-0000-7000-8000-000000000001';
const [earlier, later] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string];
const offered = { name: 'send', aliases: [], definition: earlier, onByDefault: true };

/** In seconds: 1 opened and a server that is never reached; 2 another offers `echo` and `Send`; 4 a program with `send`; 5 `send` off; 6 on; 8 the next program. */
function history(): TestLedger {
  const ledger = new TestLedger();
  const at = (second: number, stream: string) => ({ stream, recordedAt: second * 1000 });
  const text = (hash: string, second: number, description: string) =>
    ledger.add({ type: 'ToolDefinitionRecorded', data: { hash, definition: { name: 'send', description, inputSchema: {} } } }, at(second, `toolDefinition-${hash}`));
  ledger.add({ type: 'WorkspaceOpened', data: { kind: 'local' } }, at(1, 'workspace-local'));
  const club = { serverId: serverId.replace(/1$/, '2') };
  ledger.add({ type: 'McpServerRegistered', data: { ...club, name: 'club', kind: 'generic', scheme: 'https', host: 'h', port: 443, credential: 'none' } }, at(1, 'mcpServers-local'));
  ledger.add({ type: 'McpServerRegistered', data: { serverId, name: 'built-in', kind: 'generic', scheme: 'https', host: 'h', port: 443, credential: 'none' } }, at(2, 'mcpServers-local'));
  text('c'.repeat(64), 2, 'Of the server.');
  ledger.add({ type: 'McpServerParked', data: { ...club, reason: 'needs_sign_in' } }, at(2, 'mcpServers-local'));
  const tools = ['echo', 'Send'].map((name) => ({ name, remoteName: name, definition: 'c'.repeat(64) }));
  ledger.add({ type: 'McpToolsDiscovered', data: { serverId, tools, skipped: [], instructions: null } }, at(2, 'mcpServers-local'));
  ledger.add({ type: 'McpServerDisabled', data: club }, at(3, 'mcpServers-local'));
  text(earlier, 4, 'As it was.');
  ledger.add({ type: 'BuiltInToolsOffered', data: { tools: [offered] } }, at(4, 'program-tools'));
  ledger.add({ type: 'ToolSwitchSet', data: { tool: 'send', on: false } }, at(5, 'toolSettings-local'));
  ledger.add({ type: 'ToolSwitchSet', data: { tool: 'send', on: true } }, at(6, 'toolSettings-local'));
  text(later, 8, 'As it became.');
  const next = [{ ...offered, definition: later }, { ...offered, name: 'draw', onByDefault: false }];
  ledger.add({ type: 'BuiltInToolsOffered', data: { tools: next } }, at(8, 'program-tools'));
  return ledger;
}

const ledger = history();
// The program that answers has yet another tool.
const services = {
  ledger: { readStream: async (...page: Parameters<TestLedger['readStream']>) => ledger.readStream(...page) },
  registry: makeToolRegistry([builtInTool({ name: 'send' }), builtInTool({ name: 'newest' })]),
  definitionPolicy: 'warn',
} as unknown as LedgerServices;

async function asOf(second: number, explain = true) {
  const context = { caller, signal: new AbortController().signal, progress: () => undefined };
  return listToolsAsOf.run(services, { workspace: 'local', explain, asOf: second * 1000 }, context);
}

async function verdicts(second: number) {
  const { tools } = await asOf(second);
  return tools.map(({ name, available, reasons }) => [name, available, reasons.map(({ code }) => code).join()]);
}

describe('which tools could be used at a moment', () => {
  it('is told by the built-in tools that the program had then, in their words of then', async () => {
    expect(await verdicts(4)).toEqual([['send', true, ''], ['echo', true, ''], ['Send', false, 'reserved_name']]);
    expect(await verdicts(5)).toContainEqual(['send', false, 'switched_off']);
    expect(await verdicts(8)).toEqual([['send', true, ''], ['draw', false, 'switched_off'], ['echo', true, ''], ['Send', false, 'reserved_name']]);
    const words = async (second: number) => (await asOf(second)).tools.map(({ description, definition }) => [description, definition])[0];
    expect(await words(7)).toEqual(['As it was.', earlier]);
    expect(await words(8)).toEqual(['As it became.', later]);
  });

  it('is left open where no program had said yet what it has: neither yes nor no', async () => {
    expect(await asOf(4)).toMatchObject({ builtInsRecorded: true });
    expect(await asOf(3)).toMatchObject({ builtInsRecorded: false });
    expect(await verdicts(3)).toEqual([
      ['send', null, 'built_ins_unrecorded'],
      ['newest', null, 'built_ins_unrecorded'],
      ['echo', true, ''],
      // Whether the name was taken depends on them.
      ['Send', null, 'built_ins_unrecorded'],
    ]);
    const { tools } = await asOf(3);
    expect(tools.map(({ definition }) => definition)).toEqual([null, null, 'c'.repeat(64), 'c'.repeat(64)]);
    expect((await asOf(3, false)).tools).toHaveLength(4);
  });

  it('is not known of a server whose tools nobody had seen, which is told with why', async () => {
    const told = async (second: number) => (await asOf(second)).undiscovered;
    expect(await told(0)).toEqual([]);
    expect(await told(1)).toMatchObject([{ server: 'club', text: expect.stringContaining('never discovered') }]);
    expect(await told(2)).toMatchObject([{ server: 'club', text: expect.stringContaining('`toolledger mcp sign-in club`') }]);
    expect(await told(3)).toMatchObject([{ server: 'club', text: expect.stringContaining('`toolledger mcp enable club`') }]);
    expect((await asOf(2, false)).undiscovered).toEqual([]);
  });

  it('is no where something else spoke against it', async () => {
    expect(await verdicts(0)).toEqual([['send', false, 'workspace_unknown'], ['newest', false, 'workspace_unknown']]);
  });
});
