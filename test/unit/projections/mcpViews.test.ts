import { describe, expect, it } from '@jest/globals';
import type { McpServersEvent } from '../../../src/events/catalogue/mcpServers/mcpServers.js';
import { mcpServers } from '../../../src/projections/mcpServers/projection.js';
import { serversOf, type ServerView } from '../../../src/projections/mcpServers/queries.js';
import { toolNameSnapshots } from '../../../src/projections/toolNameSnapshots/projection.js';
import { snapshotsOf, type SnapshotView } from '../../../src/projections/toolNameSnapshots/queries.js';
import { toolRegistry } from '../../../src/projections/toolRegistry/projection.js';
import { allWorkspaces, registryOf, type RegistryView } from '../../../src/projections/toolRegistry/queries.js';
import { folded } from '../../support/projections/foldedModel.js';
import type { McpSignInEvent } from '../../../src/events/catalogue/mcpSignIn.js';
import { TestLedger, type EventSettings } from '../../support/projections/testLedger.js';

const idOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const hashOf = (number: number): string => String(number).padStart(64, '0');

function say(ledger: TestLedger, event: McpServersEvent, settings: EventSettings = {}): void {
  ledger.add(event, { stream: `mcpServers-${settings.workspace ?? 'local'}`, ...settings });
}

function register(ledger: TestLedger, number: number, settings: EventSettings = {}): void {
  const data = { serverId: idOf(number), name: `S${number}`, kind: 'generic', scheme: 'https', host: 'mcp.example', port: 443, credential: 'token' } as const;
  say(ledger, { type: 'McpServerRegistered', data }, settings);
}

function discover(ledger: TestLedger, number: number, names: readonly string[], settings: EventSettings = {}): void {
  const tools = names.map((name, index) => ({ name, remoteName: `remote ${name}`, definition: hashOf(index) }));
  say(ledger, { type: 'McpToolsDiscovered', data: { serverId: idOf(number), tools, skipped: [], instructions: null } }, settings);
}

const enable = (ledger: TestLedger, number: number): void => say(ledger, { type: 'McpServerEnabled', data: { serverId: idOf(number) } });
const disable = (ledger: TestLedger, number: number, settings: EventSettings = {}): void =>
  say(ledger, { type: 'McpServerDisabled', data: { serverId: idOf(number) } }, settings);
const remove = (ledger: TestLedger, number: number): void => say(ledger, { type: 'McpServerRemoved', data: { serverId: idOf(number) } });

describe('the view of MCP servers', () => {
  const servers = (ledger: TestLedger, workspace = 'local'): readonly ServerView[] => serversOf(folded(mcpServers, ledger).db, workspace);

  it('shows where a server is, who registered it and when', () => {
    const ledger = new TestLedger();
    register(ledger, 1, { actor: 'ada', recordedAt: 5 });
    expect(servers(ledger)).toEqual([
      {
        serverId: idOf(1), name: 'S1', kind: 'generic', scheme: 'https', host: 'mcp.example', port: 443, credential: 'token',
        state: 'enabled', registeredAt: 5, registeredBy: 'ada', changedAt: 5,
        autoDisabled: null, connection: { streak: null, waitUntil: null, parked: null }, grant: null,
      },
    ]);
  });

  it('shows how each stands, in order of registration, removed ones too', () => {
    const ledger = new TestLedger();
    for (const number of [3, 1, 2]) register(ledger, number);
    register(ledger, 4, { workspace: 'g1' });
    disable(ledger, 3);
    remove(ledger, 1);
    disable(ledger, 2);
    enable(ledger, 2);
    expect(servers(ledger).map(({ name, state }) => [name, state])).toEqual([['S3', 'disabled'], ['S1', 'removed'], ['S2', 'enabled']]);
    expect(servers(ledger, 'g1').map(({ name }) => name)).toEqual(['S4']);
  });

  it('shows the account that is used, until it is signed out', () => {
    const ledger = new TestLedger();
    const tell = (event: McpSignInEvent, recordedAt = 7): unknown => ledger.add(event, { stream: `mcpSignIn-${idOf(1)}`, recordedAt });
    const grant = (): unknown => servers(ledger)[0]?.grant;
    register(ledger, 1);
    tell({ type: 'McpSignInCompleted', data: { serverId: idOf(1), signInId: idOf(9), issuer: 'https://as.example', signer: 'ada', scopes: ['tools'], audience: 'everyone', renewable: true, expiresAt: null } });
    const signedIn = { signer: 'ada', since: 7, issuer: 'https://as.example', scopes: ['tools'], renewable: true, lapsed: null, wanted: [] };
    expect(grant()).toEqual(signedIn);
    tell({ type: 'McpReauthorizationRequired', data: { serverId: idOf(1), reason: 'invalid_grant', scopes: ['tools'] } });
    expect(grant()).toEqual({ ...signedIn, lapsed: 'invalid_grant', wanted: ['tools'] });
    tell({ type: 'McpTokenRefreshed', data: { serverId: idOf(1), rotated: true, expiresAt: null, scopes: null } });
    expect(grant()).toEqual({ ...signedIn, wanted: ['tools'] });
    tell({ type: 'McpReauthorizationRequired', data: { serverId: idOf(1), reason: 'insufficient_scope', scopes: ['tools', 'admin'] } });
    say(ledger, { type: 'McpServerParked', data: { serverId: idOf(1), reason: 'needs_reauthorization' } });
    tell({ type: 'McpTokenRefreshed', data: { serverId: idOf(1), rotated: true, expiresAt: null, scopes: null } });
    expect(grant()).toEqual({ ...signedIn, lapsed: 'insufficient_scope', wanted: ['tools', 'admin'] });
    say(ledger, { type: 'McpServerUnparked', data: { serverId: idOf(1) } });
    expect(grant()).toEqual({ ...signedIn, wanted: ['tools', 'admin'] });
    say(ledger, { type: 'McpServerParked', data: { serverId: idOf(1), reason: 'needs_reauthorization' } });
    expect(grant()).toMatchObject({ lapsed: 'insufficient_scope' });
    tell({ type: 'McpTokenRefreshed', data: { serverId: idOf(1), rotated: true, expiresAt: null, scopes: ['read'] } });
    expect(grant()).toMatchObject({ lapsed: 'insufficient_scope', scopes: ['read'] });
    tell({ type: 'McpSignedOut', data: { serverId: idOf(1), reason: 'asked', revocation: 'failed' } });
    expect(grant()).toBeNull();
  });

  describe('tells how the connection of a server stands:', () => {
    const failed = (ledger: TestLedger, streak: number, recordedAt: number, more: { counted?: boolean; cooldownMs?: number } = {}): void =>
      say(ledger, { type: 'McpConnectionFailed', data: { serverId: idOf(1), class: 'timeout', counted: true, streak, cooldownMs: 300, ...more } }, { recordedAt });
    const standing = (ledger: TestLedger) => {
      const [server] = servers(ledger);
      return server === undefined ? null : { state: server.state, autoDisabled: server.autoDisabled, ...server.connection };
    };
    const fine = { state: 'enabled', autoDisabled: null, streak: null, waitUntil: null, parked: null };

    it('failing since the first failure, waiting from the last', () => {
      const ledger = new TestLedger();
      register(ledger, 1);
      failed(ledger, 1, 1_000);
      failed(ledger, 2, 2_000, { cooldownMs: 600 });
      failed(ledger, 2, 2_100, { counted: false, cooldownMs: 0 });
      expect(standing(ledger)).toEqual({ ...fine, streak: { class: 'timeout', failures: 2, since: 1_000 }, waitUntil: 2_600 });
      say(ledger, { type: 'McpConnectionRecovered', data: { serverId: idOf(1) } });
      expect(standing(ledger)).toEqual(fine);
    });

    it('disabled by itself, with the reason, until an admin says otherwise', () => {
      const ledger = new TestLedger();
      register(ledger, 1);
      failed(ledger, 1, 1_000);
      failed(ledger, 2, 9_000);
      say(ledger, { type: 'McpServerAutoDisabled', data: { serverId: idOf(1), class: 'timeout', failures: 2, failingSince: 1_000 } }, { recordedAt: 9_000 });
      expect(standing(ledger)).toEqual({ ...fine, state: 'disabled', autoDisabled: { class: 'timeout', failures: 2, failingSince: 1_000 } });
      enable(ledger, 1);
      expect(standing(ledger)).toEqual(fine);
    });

    it('parked, and for what', () => {
      const ledger = new TestLedger();
      register(ledger, 1);
      say(ledger, { type: 'McpServerParked', data: { serverId: idOf(1), reason: 'needs_sign_in' } }, { recordedAt: 7 });
      expect(standing(ledger)).toEqual({ ...fine, parked: { reason: 'needs_sign_in', at: 7 } });
      say(ledger, { type: 'McpServerUnparked', data: { serverId: idOf(1) } });
      expect(standing(ledger)).toEqual(fine);
    });

    it('parked, also while it is disabled', () => {
      const ledger = new TestLedger();
      register(ledger, 1);
      say(ledger, { type: 'McpServerParked', data: { serverId: idOf(1), reason: 'needs_sign_in' } }, { recordedAt: 7 });
      disable(ledger, 1);
      expect(standing(ledger)).toEqual({ ...fine, state: 'disabled', parked: { reason: 'needs_sign_in', at: 7 } });
      enable(ledger, 1);
      expect(standing(ledger)).toEqual(fine);
    });
  });

  it('halts when a server is spoken of that was never registered', () => {
    const ledger = new TestLedger();
    disable(ledger, 9);
    expect(folded(mcpServers, ledger).halted).toContain('position 1');
  });
});

describe('snapshots of tool names', () => {
  const snapshots = (ledger: TestLedger): readonly SnapshotView[] => snapshotsOf(folded(toolNameSnapshots, ledger).db, 'local');

  it('tell a server that was never asked from one that offers nothing', () => {
    const ledger = new TestLedger();
    register(ledger, 1);
    register(ledger, 2);
    discover(ledger, 2, [], { recordedAt: 7 });
    expect(snapshots(ledger)).toEqual([
      { serverId: idOf(1), serverName: 'S1', names: null, more: 0, discoveredAt: null },
      { serverId: idOf(2), serverName: 'S2', names: [], more: 0, discoveredAt: 7 },
    ]);
  });

  it('keep 100 names of 128 code points and count the rest', () => {
    const ledger = new TestLedger();
    register(ledger, 1);
    discover(ledger, 1, ['😀'.repeat(129), ...Array.from({ length: 130 }, (_, index) => `t${index}`)]);
    const [snapshot] = snapshots(ledger);
    expect(snapshot?.names).toHaveLength(100);
    expect(snapshot?.names?.[0]).toBe('😀'.repeat(128));
    expect(snapshot?.more).toBe(31);
  });

  it('hold only what was last discovered, and nothing of a removed server', () => {
    const ledger = new TestLedger();
    register(ledger, 1);
    register(ledger, 2);
    discover(ledger, 1, ['a', 'b']);
    discover(ledger, 1, ['c']);
    remove(ledger, 2);
    expect(snapshots(ledger).map(({ names }) => names)).toEqual([['c']]);
  });
});

describe('the tool registry', () => {
  const registry = (ledger: TestLedger, workspace = 'local'): RegistryView => registryOf(folded(toolRegistry, ledger).db, workspace);

  it('does not know a workspace that was never opened', () => {
    expect(registry(new TestLedger(), 'g1')).toEqual({ workspace: 'g1', state: 'unknown', switches: [], policy: null, servers: [] });
  });

  it('follows workspaces and the switches in them', () => {
    const ledger = new TestLedger();
    ledger.add({ type: 'WorkspaceOpened', data: { kind: 'guild' } }, { stream: 'workspace-g1', recordedAt: 1 });
    ledger.add({ type: 'ToolSwitchSet', data: { tool: 'roll_dice', on: false } }, { stream: 'toolSettings-g1', recordedAt: 2 });
    ledger.add({ type: 'ToolSwitchSet', data: { tool: 'echo', on: true } }, { stream: 'toolSettings-g1', recordedAt: 3 });
    ledger.add({ type: 'ToolSwitchSet', data: { tool: 'roll_dice', on: true } }, { stream: 'toolSettings-g1', recordedAt: 4 });
    ledger.add({ type: 'WorkspaceClosed', data: {} }, { stream: 'workspace-g1', recordedAt: 5 });
    expect(registry(ledger, 'g1')).toMatchObject({ state: 'closed', switches: [['echo', true], ['roll_dice', true]] });
    expect(allWorkspaces(folded(toolRegistry, ledger).db)).toEqual([{ workspace: 'g1', kind: 'guild', state: 'closed', openedAt: 1, changedAt: 5 }]);
  });

  it('knows the rule of a workspace for definitions that changed', () => {
    const ledger = new TestLedger();
    const set = (policy: 'warn' | 'hold' | null) => ledger.add({ type: 'DefinitionPolicySet', data: { policy } }, { stream: 'toolSettings-g1' });
    set('warn');
    set('hold');
    expect([registry(ledger, 'g1').policy, registry(ledger, 'g2').policy]).toEqual(['hold', null]);
    set(null);
    expect(registry(ledger, 'g1').policy).toBeNull();
  });

  it('shows which of the definitions a server offers were accepted', () => {
    const ledger = new TestLedger();
    register(ledger, 1);
    expect(registry(ledger).servers).toMatchObject([{ serverId: idOf(1), name: 'S1', kind: 'generic', enabled: true, tools: null }]);
    discover(ledger, 1, ['a']);
    say(ledger, { type: 'McpToolDefinitionsAccepted', data: { serverId: idOf(1), definitions: [hashOf(0)] } });
    discover(ledger, 1, ['a', 'b', 'c']);
    say(ledger, { type: 'McpToolDefinitionsAccepted', data: { serverId: idOf(1), definitions: [hashOf(2)] } });
    const tools = registry(ledger).servers[0]?.tools ?? [];
    expect(tools.map(({ name, accepted }) => [name, accepted])).toEqual([['a', true], ['b', false], ['c', true]]);
  });

  it('knows the text of a definition once it was recorded', () => {
    const ledger = new TestLedger();
    const definition = { name: 'a', description: 'does a', inputSchema: { type: 'object' } };
    register(ledger, 1);
    discover(ledger, 1, ['a', 'b']);
    ledger.add({ type: 'ToolDefinitionRecorded', data: { hash: hashOf(0), definition } }, { stream: `toolDefinition-${hashOf(0)}` });
    expect(registry(ledger).servers[0]?.tools?.map(({ text }) => text)).toEqual([definition, null]);
  });

  it('shows whether a server is enabled and drops a removed one', () => {
    const ledger = new TestLedger();
    register(ledger, 1);
    register(ledger, 2);
    disable(ledger, 1);
    discover(ledger, 2, ['a']);
    remove(ledger, 2);
    expect(registry(ledger).servers.map(({ name, enabled }) => [name, enabled])).toEqual([['S1', false]]);
  });
});
