import { describe, expect, it } from '@jest/globals';
import { allSubjects, declareTools, judge } from '../../../src/tools/availability.js';
import type { Asker, ServerFacts, ToolSubject, WorkspaceFacts } from '../../../src/tools/availability/facts.js';
import { availabilityLayers } from '../../../src/tools/availability/layers.js';
import { reasonText, reasonTexts } from '../../../src/tools/availability/reasons.js';
import { anybody, makeWorld } from '../../../src/tools/availability/world.js';
import type { ServerView } from '../../../src/projections/mcpServers/queries.js';
import type { SeenStanding } from '../../../src/tools/availability/outOfUse.js';
import { makeToolRegistry } from '../../../src/tools/registry.js';
import { factsFromViews } from '../../../src/tools/workspaceFacts.js';
import { builtInTool } from '../../support/dispatch/house.js';

const registry = makeToolRegistry([builtInTool({ name: 'send' }), builtInTool({ name: 'fetch_url' }), builtInTool({ name: 'quiet', onByDefault: false })]);
const open: WorkspaceFacts = { workspace: 'local', state: 'open', switches: new Map(), policy: null, servers: [], basis: { workspace: 0, settings: null, servers: null } };
const known = (name: string, definition = name) => ({ name, remoteName: name, definition });

function server(name: string, tools: readonly string[] | null, change: Partial<ServerFacts> = {}): ServerFacts {
  const offered = tools?.map((tool) => known(tool)) ?? null;
  return { serverId: `id-${name}`, name, kind: 'generic', enabled: true, tools: offered, accepted: new Set(tools), outOfUse: null, switchedOff: new Set(), audience: { roles: null, channels: null, person: null }, ...change };
}

function remote(serverName: string, tool: string, definition = tool): ToolSubject {
  return { kind: 'mcp', serverId: `id-${serverName}`, serverName, ...known(tool, definition) };
}

const builtIn = (name: string): ToolSubject => ({ kind: 'builtin', name, definition: name });

function reasonsFor(subject: ToolSubject, change: Partial<WorkspaceFacts>, policy: 'warn' | 'hold' = 'warn', asker: Asker = anybody) {
  return judge(subject, makeWorld({ ...open, ...change }, registry, policy, asker)).reasons;
}

describe('whether a tool may be used', () => {
  it.each<[string, ToolSubject, Partial<WorkspaceFacts>, readonly string[]]>([
    ['a built-in tool in an open workspace', builtIn('send'), {}, []],
    ['a tool nobody registered', builtIn('gone'), { switches: new Map([['gone', true]]) }, ['unknown_tool']],
    ['a workspace that was never opened', builtIn('send'), { state: 'unknown' }, ['workspace_unknown']],
    ['a closed workspace', builtIn('send'), { state: 'closed' }, ['workspace_closed']],
    ['a workspace that could not be read', builtIn('send'), { state: 'unverified' }, ['workspace_unverified']],
    ['a tool that is off unless switched on', builtIn('quiet'), {}, ['switched_off']],
    ['the same, switched on', builtIn('quiet'), { switches: new Map([['quiet', true]]) }, []],
    ['switches that could not be read', builtIn('send'), { switches: null }, ['switches_unverified']],
    ['registrations that could not be read, for a built-in tool', builtIn('send'), { servers: null }, []],
    ['the same, for a built-in tool that a server could stand in for', builtIn('fetch_url'), { servers: null }, ['registration_unverified']],
    ['the same, for a remote tool', remote('a', 'echo'), { servers: null }, ['registration_unverified']],
    ['a remote tool of an enabled server', remote('a', 'echo'), { servers: [server('a', ['echo'])] }, []],
    ['a remote tool that was switched off', remote('a', 'echo'), { servers: [server('a', ['echo'])], switches: new Map([['echo', false]]) }, ['switched_off']],
    ['a removed server', remote('a', 'echo'), {}, ['server_removed']],
    ['a disabled server', remote('a', 'echo'), { servers: [server('a', ['echo'], { enabled: false })] }, ['server_disabled']],
    ['tools that were never discovered', remote('a', 'echo'), { servers: [server('a', null)] }, ['tools_unknown']],
    ['a tool the server gave up', remote('a', 'echo'), { servers: [server('a', [])] }, ['tool_not_offered']],
    ['a tool the server changed', remote('a', 'echo', 'older'), { servers: [server('a', ['echo'])] }, ['definition_changed']],
    ['a name that two servers offer', remote('a', 'echo'), { servers: [server('a', ['echo']), server('b', ['echo'])] }, ['name_collision']],
    ['a name that a disabled server offers as well', remote('a', 'echo'), { servers: [server('a', ['echo']), server('b', ['echo'], { enabled: false })] }, []],
    ['a name of a built-in tool that is off', remote('a', 'Quiet'), { servers: [server('a', ['Quiet'])] }, ['reserved_name']],
    ['a built-in tool that a server stands in for, also while the server is unknown', builtIn('fetch_url'), { servers: [server('a', null, { kind: 'url_fetcher' })] }, ['replaced_by_server']],
    ['the stand-in', remote('a', 'fetch_url'), { servers: [server('a', ['fetch_url'], { kind: 'url_fetcher' })] }, []],
    ['a stand-in under another name of a built-in tool', remote('a', 'send'), { servers: [server('a', ['send'], { kind: 'url_fetcher' })] }, ['reserved_name']],
    ['a stand-in of another family', remote('a', 'fetch_url'), { servers: [server('a', ['fetch_url'], { kind: 'web_search' })] }, ['reserved_name']],
    ['two enabled stand-ins', remote('a', 'fetch_url'), { servers: ['a', 'b'].map((name) => server(name, ['fetch_url'], { kind: 'url_fetcher' })) }, ['family_conflict', 'name_collision']],
    ['a server for checks of the product', remote('a', 'check_slop'), { servers: [server('a', ['check_slop'], { kind: 'prose_linter' })] }, ['not_for_models']],
    ['everything at once', remote('a', 'echo'), { state: 'closed', switches: new Map([['echo', false]]), servers: [server('a', ['echo'], { enabled: false })] }, ['workspace_closed', 'switched_off', 'server_disabled']],
  ])('%s', (_what, subject, facts, reasons) => {
    expect(reasonsFor(subject, facts)).toEqual(reasons);
  });

  it('holds a definition nobody accepted under the policy hold only', () => {
    const facts = { servers: [server('a', ['echo'], { accepted: new Set() })] };
    expect(reasonsFor(remote('a', 'echo'), facts, 'warn')).toEqual([]);
    expect(reasonsFor(remote('a', 'echo'), facts, 'hold')).toEqual(['definition_held']);
  });

  it.each(['server_quarantined', 'server_rate_limited', 'server_needs_sign_in', 'server_auto_disabled'] as const)('is out while its server is out of use: %s', (reason) => {
    const facts = { servers: [server('a', ['echo'], { outOfUse: { reason, until: null }, enabled: reason !== 'server_auto_disabled' })] };
    expect(reasonsFor(remote('a', 'echo'), facts)).toEqual([reason]);
  });

  it('is out when its server has it switched off, by the name the server uses', () => {
    const tools = [{ name: 'alias', remoteName: 'dotted.name', definition: 'd' }];
    const facts = { servers: [server('a', null, { tools, switchedOff: new Set(['dotted.name']) })] };
    expect(judge({ kind: 'mcp', serverId: 'id-a', serverName: 'a', name: 'alias', remoteName: 'dotted.name', definition: 'd' }, makeWorld({ ...open, ...facts }, registry, 'warn', anybody)).reasons).toEqual(['server_tool_switched_off']);
  });

  describe('of a server for some only', () => {
    const only = (roles: readonly string[] | null, channels: readonly string[] | null, person: string | null = null) => ({ servers: [server('a', ['echo'], { audience: { roles, channels, person } })] });

    it.each<[string, ReturnType<typeof only>, Asker, readonly string[]]>([
      ['one of the roles', only(['1', '2'], null), { ...anybody, roles: ['2', '3'] }, []],
      ['none of the roles', only(['1'], null), { ...anybody, channel: '7', roles: ['2'] }, ['not_in_audience']],
      ['nobody knows the roles', only(['1'], null), anybody, ['not_in_audience']],
      ['one of the channels', only(null, ['7']), { ...anybody, channel: '7' }, []],
      ['another channel', only(null, ['7']), { ...anybody, channel: '8' }, ['not_in_audience']],
      ['no channel', only(null, ['7']), anybody, ['not_in_audience']],
      ['a role, and another channel', only(['1'], ['7']), { ...anybody, channel: '8', roles: ['1'] }, ['not_in_audience']],
      ['the one person', only(null, null, 'ada'), { ...anybody, subject: 'ada' }, []],
      ['another person', only(null, null, 'ada'), { ...anybody, subject: 'bob' }, ['not_in_audience']],
      ['nobody knows the person', only(null, null, 'ada'), anybody, ['not_in_audience']],
    ])('%s', (_name, facts, asker, expected) => expect(reasonsFor(remote('a', 'echo'), facts, 'warn', asker)).toEqual(expected));
  });

  it('takes a tool out whose judging fails, and no other', () => {
    const world = makeWorld({ ...open, servers: [server('a', ['echo', 'cursed'])] }, registry, 'warn', anybody);
    const layers = [...availabilityLayers, (subject: ToolSubject) => (subject.name === 'cursed' ? throwing() : null)];
    const verdicts = allSubjects(world, registry).map((subject) => judge(subject, world, layers));
    expect(verdicts.filter((verdict) => verdict.reasons.includes('judging_failed')).map((verdict) => verdict.subject.name)).toEqual(['cursed']);
    expect(verdicts.filter((verdict) => verdict.available).map((verdict) => verdict.subject.name)).toEqual(['send', 'fetch_url', 'echo']);
  });

  it('judges the views as it judges the streams', () => {
    const tools = [{ ...known('echo'), accepted: false, text: null }];
    const connection = { streak: { failures: 1, since: 500, class: 'timeout' }, waitUntil: 1_001, parked: null };
    const waiting: ServerView & SeenStanding = {
      serverId: 'id-a', name: 'a', kind: 'generic', scheme: 'https', host: 'mcp.example', port: 443, credential: 'none', state: 'enabled',
      registeredAt: 0, registeredBy: 'ada', changedAt: 0, autoDisabled: null, connection, grant: null, lost: null,
    };
    const facts = factsFromViews({
      workspace: 'local',
      state: 'open',
      switches: [['send', false]],
      policy: null,
      servers: [{ serverId: 'id-a', name: 'a', kind: 'generic', enabled: true, tools, switchedOff: ['echo'], audience: { roles: null, channels: null, person: null } }],
    }, [waiting], 1_000);
    const text = { name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } };
    const verdicts = declareTools(makeWorld(facts, registry, 'hold', anybody), registry, () => text);
    expect(verdicts.map(({ subject, reasons }) => [subject.name, reasons.join()])).toEqual([
      ['send', 'switched_off'],
      ['fetch_url', ''],
      ['quiet', 'switched_off'],
      ['echo', 'server_quarantined,server_tool_switched_off,definition_held'],
    ]);
  });

  it('has a sentence for every reason, and shows unknown ones as they are', () => {
    for (const [code, text] of Object.entries(reasonTexts)) expect(reasonText(code)).toBe(text);
    expect(reasonText('toString')).toBe('Refused: toString.');
  });
});

function throwing(): never {
  throw new Error('cursed');
}
