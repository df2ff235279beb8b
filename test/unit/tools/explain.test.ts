import { describe, expect, it } from '@jest/globals';
import { explain } from '../../../src/tools/availability/explain.js';
import type { OutOfUse, ServerFacts, WorkspaceFacts } from '../../../src/tools/availability/facts.js';
import { reasonText } from '../../../src/tools/availability/reasons.js';
import { anybody, makeWorld } from '../../../src/tools/availability/world.js';
import { makeToolRegistry } from '../../../src/tools/registry.js';

const until = Date.UTC(2026, 0, 1);
const tool = { name: 'echo', remoteName: 'echo', definition: 'd' };

function server(name: string, outOfUse: OutOfUse | null = null): ServerFacts {
  return { serverId: `id-${name}`, name, kind: 'generic', enabled: true, tools: [tool], accepted: new Set(), outOfUse, switchedOff: new Set(), audience: { roles: null, channels: null, person: null } };
}

/** Why `echo` of server `a` may not be used beside these others. */
function explained(reason: Parameters<typeof explain>[1], a: ServerFacts, ...others: readonly ServerFacts[]): string {
  const facts: WorkspaceFacts = { workspace: 'local', state: 'open', switches: new Map(), policy: null, servers: [a, ...others], basis: { workspace: 0, settings: null, servers: 0 } };
  return explain({ kind: 'mcp', serverId: 'id-a', serverName: 'a', ...tool }, reason, makeWorld(facts, makeToolRegistry([]), 'warn', anybody));
}

describe('why a tool may not be used', () => {
  it.each<[string, readonly ServerFacts[], string]>([
    ['a server that works', [server('b')], 'Server b offers a tool of this name too, so none of them is used.'],
    ['a quarantined one', [server('b', { reason: 'server_quarantined', until })], 'Server b (quarantined until 2026-01-01T00:00:00.000Z; its names stay taken) offers a tool'],
    ['one that asked to wait', [server('b', { reason: 'server_rate_limited', until })], 'Server b (asked to wait until 2026-01-01T00:00:00.000Z; its names stay taken) offers'],
    ['a parked one', [server('b', { reason: 'server_needs_sign_in', until: null })], 'Server b (parked: needs_sign_in; its names stay taken) offers a tool'],
    ['one without an address', [server('b', { reason: 'server_credential_deleted', until: null })], 'Server b (without an address; its names stay taken) offers a tool'],
    ['several', [server('b'), server('c', { reason: 'server_blocked_address', until: null })], 'Servers b, c (parked: blocked_address; its names stay taken) offer a tool'],
  ])('names whom it collides with, and what to do: %s', (_what, others, text) => {
    const said = explained('name_collision', server('a'), ...others);
    expect(said).toContain(text);
    expect(said).toMatch(/Keep one: `toolledger mcp tool off b echo`, or for the whole server `toolledger mcp disable b`\.$/);
  });

  it('does not name servers that are disabled or have the tool switched off', () => {
    const said = explained('name_collision', server('a'), server('b'), { ...server('c'), enabled: false }, { ...server('d'), switchedOff: new Set(['echo']) });
    expect(said).toMatch(/^Server b offers/);
  });

  it('says until when its server is left alone', () => {
    expect(explained('server_quarantined', server('a', { reason: 'server_quarantined', until }))).toBe(`${reasonText('server_quarantined').replace('mcp refresh', 'mcp refresh a')} It is left alone until 2026-01-01T00:00:00.000Z.`);
  });

  it('is the sentence of the reason where there is no more to say', () => {
    expect(explained('reserved_name', server('a', { reason: 'server_quarantined', until }))).toBe(reasonText('reserved_name'));
    expect(explained('tool_not_offered', server('a', { reason: 'server_needs_sign_in', until: null }))).toBe(reasonText('tool_not_offered'));
  });
});
