import { describe, expect, it } from '@jest/globals';
import { judgedOn } from '../../../src/operations/calls/judgedOn.js';
import { admit, refuse, remoteRoute, succeed } from '../../support/projections/callEvents.js';
import { TestLedger } from '../../support/projections/testLedger.js';

const serverId = '00000000-0000-7000-8000-000000000001';
const definition = '0'.repeat(64);

/** A workspace whose settings changed twice, and a server that was registered, accepted, disabled and removed. */
function changed(): TestLedger {
  const ledger = new TestLedger();
  ledger.add({ type: 'WorkspaceOpened', data: { kind: 'local' } }, { stream: 'workspace-local' });
  ledger.add({ type: 'WorkspaceClosed', data: {} }, { stream: 'workspace-local' });
  for (const on of [true, false]) ledger.add({ type: 'ToolSwitchSet', data: { tool: 'search', on } }, { stream: 'toolSettings-local' });
  ledger.add({ type: 'DefinitionPolicySet', data: { policy: 'hold' } }, { stream: 'toolSettings-local' });
  const servers = { stream: 'mcpServers-local' };
  ledger.add({ type: 'McpServerRegistered', data: { serverId, name: 'Web', kind: 'generic', scheme: 'https', host: 'h', port: 443, credential: 'none' } }, servers);
  ledger.add({ type: 'McpToolDefinitionsAccepted', data: { serverId, definitions: [definition] } }, servers);
  ledger.add({ type: 'McpServerDisabled', data: { serverId } }, servers);
  ledger.add({ type: 'McpServerRemoved', data: { serverId } }, servers);
  return ledger;
}

type Basis = { readonly workspace: number | null; readonly settings: number | null; readonly servers: number | null };

async function judgedWith(basis: Basis) {
  const ledger = changed();
  admit(ledger, 'c1', { tool: 'search', route: remoteRoute(serverId, 'Web'), basis });
  const reader = { readStream: async (stream: string, from: number, limit: number) => ledger.readStream(stream, from, limit) };
  return judgedOn(reader, await reader.readStream('toolCall-c1', 0, 1));
}

const web = { serverId, name: 'Web', kind: 'generic', account: null };

describe('what a call was judged on', () => {
  it.each<[string, Basis, object]>([
    ['nothing, when nothing was recorded', { workspace: null, settings: null, servers: null }, { workspace: 'unknown', switch: null, definitionPolicy: null, server: null }],
    ['the first of everything', { workspace: 0, settings: 0, servers: 0 }, { workspace: 'open', switch: true, definitionPolicy: { policy: 'warn', from: 'deployment' }, server: { ...web, enabled: true, accepted: false } }],
    ['what was accepted by then', { workspace: 0, settings: 0, servers: 1 }, { workspace: 'open', switch: true, definitionPolicy: { policy: null, from: 'deployment' }, server: { ...web, enabled: true, accepted: true } }],
    ['what was switched off by then', { workspace: 1, settings: 1, servers: 2 }, { workspace: 'closed', switch: false, definitionPolicy: { policy: null, from: 'deployment' }, server: { ...web, enabled: false, accepted: true } }],
    ['the rule of the workspace for definitions', { workspace: 0, settings: 2, servers: 1 }, { workspace: 'open', switch: false, definitionPolicy: { policy: 'hold', from: 'workspace' }, server: { ...web, enabled: true, accepted: true } }],
    ['a server that was gone by then', { workspace: 1, settings: 1, servers: 3 }, { workspace: 'closed', switch: false, definitionPolicy: null, server: null }],
  ])('is %s', async (_what, basis, expected) => {
    expect(await judgedWith(basis)).toEqual({ definition, ...expected });
  });

  it('has no switch and no server where nobody knows the tool', async () => {
    const ledger = changed();
    refuse(ledger, 'c1', { tool: null, basis: { workspace: 0, settings: 1, servers: 2 } });
    const reader = { readStream: async (stream: string, from: number, limit: number) => ledger.readStream(stream, from, limit) };
    expect(await judgedOn(reader, await reader.readStream('toolCall-c1', 0, 1))).toEqual({ workspace: 'open', switch: null, definition: null, definitionPolicy: null, server: null });
  });

  it('names the account that its server was used with then, not the ones before and after', async () => {
    const ledger = changed();
    const signIns = { stream: `mcpSignIn-${serverId}` };
    const signIn = (signInId: string, signer: string): void => {
      ledger.add({ type: 'McpSignInStarted', data: { serverId, signInId, issuer: 'https://as.example', issuerBefore: null, client: 'registered', scopes: null } }, signIns);
      ledger.add({ type: 'McpSignInCompleted', data: { serverId, signInId, issuer: 'https://as.example', signer, scopes: null, audience: 'everyone', renewable: true, expiresAt: null } }, { ...signIns, recordedAt: 7_000 });
    };
    const servers = { stream: 'mcpServers-local' };
    signIn('00000000-0000-7000-8000-00000000000a', 'ada');
    signIn('00000000-0000-7000-8000-00000000000b', 'ben');
    ledger.add({ type: 'McpServerRegistered', data: { serverId, name: 'Web', kind: 'generic', scheme: 'https', host: 'h', port: 443, credential: 'none' } }, servers);
    const last = ledger.add({ type: 'McpCredentialReplaced', data: { serverId, credential: 'oauth' } }, servers);
    admit(ledger, 'c1', { tool: 'search', route: remoteRoute(serverId, 'Web'), basis: { workspace: 0, settings: 0, servers: last.revision } });
    signIn('00000000-0000-7000-8000-00000000000c', 'cy');
    const reader = { readStream: async (stream: string, from: number, limit: number) => ledger.readStream(stream, from, limit) };
    expect((await judgedOn(reader, await reader.readStream('toolCall-c1', 0, 1)))?.server?.account).toEqual({ signInId: '00000000-0000-7000-8000-00000000000b', signer: 'ben', since: '1970-01-01T00:00:07.000Z', issuer: 'https://as.example' });
  });

  it('knows the deployment\u2019s rule of a call that it refused', async () => {
    const ledger = changed();
    refuse(ledger, 'c1', { tool: 'search', route: remoteRoute(serverId, 'Web'), reasons: ['definition_held'], basis: { workspace: 0, settings: 1, servers: 0 } });
    const reader = { readStream: async (stream: string, from: number, limit: number) => ledger.readStream(stream, from, limit) };
    expect(await judgedOn(reader, await reader.readStream('toolCall-c1', 0, 1))).toMatchObject({ definitionPolicy: { policy: 'hold', from: 'deployment' } });
  });

  it('names the definition of a built-in tool', async () => {
    const ledger = changed();
    admit(ledger, 'c1', { tool: 'search', route: { kind: 'builtin', definition } });
    const reader = { readStream: async (stream: string, from: number, limit: number) => ledger.readStream(stream, from, limit) };
    expect(await judgedOn(reader, await reader.readStream('toolCall-c1', 0, 1))).toEqual({ workspace: 'open', switch: null, definition, definitionPolicy: null, server: null });
  });

  it('is not known of a call that does not begin as one', async () => {
    const ledger = changed();
    succeed(ledger, 'c1');
    const reader = { readStream: async (stream: string, from: number, limit: number) => ledger.readStream(stream, from, limit) };
    expect(await judgedOn(reader, await reader.readStream('toolCall-c1', 0, 1))).toBeNull();
    expect(await judgedOn(reader, [])).toBeNull();
  });
});
