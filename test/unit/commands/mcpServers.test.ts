import { describe, expect, it } from '@jest/globals';
import { mcpServersDecider, mcpServersStream, type RegisterMcpServer } from '../../../src/commands/mcpServers/mcpServers.js';
import { serverById } from '../../../src/commands/mcpServers/mcpServersState.js';
import type { McpServersEvent } from '../../../src/events/catalogue/mcpServers/mcpServers.js';
import { mcpServerKinds } from '../../../src/events/catalogue/mcpServers/registration.js';
import { deciderSpec } from '../../support/deciderSpec.js';

const { given } = deciderSpec(mcpServersDecider);

const address = { scheme: 'https', host: 'mcp.example', port: 443, credential: 'none' } as const;
const idOf = (n: number) => `0198c0de-0000-7000-8000-${String(n).padStart(12, '0')}`;
type Kind = (typeof mcpServerKinds)[number];

/** Registration number n. */
const registered = (n: number, name = `server-${n}`, kind: Kind = 'generic') =>
  ({ type: 'McpServerRegistered', data: { serverId: idOf(n), name, kind, ...address } }) as const;
const enabled = (n: number) => ({ type: 'McpServerEnabled', data: { serverId: idOf(n) } }) as const;
const disabled = (n: number) => ({ type: 'McpServerDisabled', data: { serverId: idOf(n) } }) as const;
const removed = (n: number) => ({ type: 'McpServerRemoved', data: { serverId: idOf(n) } }) as const;
const register = (n: number, name: string, more: Partial<RegisterMcpServer> = {}): RegisterMcpServer => ({
  type: 'Register',
  serverId: idOf(n),
  name,
  kind: 'generic',
  ...address,
  limit: 10,
  ...more,
});

const tool = (name: string, digit = 'a') => ({ name, remoteName: name, definition: digit.repeat(64) });
const found = (...tools: ReturnType<typeof tool>[]): Extract<McpServersEvent, { type: 'McpToolsDiscovered' }> => ({
  type: 'McpToolsDiscovered',
  data: { serverId: idOf(1), tools, skipped: [], instructions: null },
});
const acceptedDefinitions = (...definitions: string[]): McpServersEvent => ({
  type: 'McpToolDefinitionsAccepted',
  data: { serverId: idOf(1), definitions },
});
const record = (...tools: ReturnType<typeof tool>[]) => ({ type: 'RecordTools', serverId: idOf(1), tools, skipped: [], instructions: null }) as const;

describe('the MCP servers of a workspace', () => {
  it('have a stream of their own', () => expect(mcpServersStream('g1')).toBe('mcpServers-g1'));
});

describe('registering a server', () => {
  it('is recorded under the name made of what was typed', () => given().when(register(1, ' My  Server ')).thenEvents(registered(1, 'My-Server')));

  it('starts it enabled, with unknown tools', () =>
    expect(given(registered(1)).state.servers).toMatchObject([
      { ...registered(1).data, status: 'enabled', autoDisabled: null, discovery: 'unknown', accepted: new Set(), switchedOff: new Set() },
    ]));

  it('keeps servers in order of registration', () =>
    expect(given(registered(2), registered(1), disabled(2)).state.servers.map((server) => server.serverId)).toEqual([idOf(2), idOf(1)]));

  it('is refused for a name that is none', () => given().when(register(1, 'a_b')).thenRefused({ code: 'invalid_name', given: 'a_b' }));

  it('is refused for a type nobody knows', () =>
    given()
      .when(register(1, 'a', { kind: 'constructor' }))
      .thenRefused({ code: 'invalid_type', given: 'constructor', allowed: mcpServerKinds }));

  it('is refused for a name that is taken, whatever its case', () =>
    given(registered(1, 'Weather'))
      .when(register(2, 'weather'))
      .thenRefused({ code: 'duplicate_name', name: 'Weather', byServerId: idOf(1) }));

  it('is refused for the name of a disabled server', () =>
    given(registered(1, 'weather'), disabled(1))
      .when(register(2, 'weather'))
      .thenRefused({ code: 'duplicate_name', name: 'weather', byServerId: idOf(1) }));

  it('may use the name of a removed server', () =>
    given(registered(1, 'weather'), removed(1)).when(register(2, 'weather')).thenEvents(registered(2, 'weather')));

  it('is refused at the limit, which counts disabled servers too', () =>
    given(registered(1), registered(2), disabled(2)).when(register(3, 'c', { limit: 2 })).thenRefused({ code: 'limit_reached', limit: 2 }));

  it('does not count removed servers', () =>
    given(registered(1), registered(2), removed(2)).when(register(3, 'c', { limit: 2 })).thenEvents(registered(3, 'c')));

  it.each(['url_fetcher', 'web_search', 'prose_linter'] as const)('is refused for a second enabled %s', (kind) =>
    given(registered(1, 'first', kind))
      .when(register(2, 'second', { kind }))
      .thenRefused({ code: 'family_in_use', kind, by: 'first', byServerId: idOf(1) }));

  it('may be of a family whose other server is disabled', () =>
    given(registered(1, 'first', 'web_search'), disabled(1))
      .when(register(2, 'second', { kind: 'web_search' }))
      .thenEvents(registered(2, 'second', 'web_search')));

  it('may be of another family', () =>
    given(registered(1, 'first', 'web_search'))
      .when(register(2, 'second', { kind: 'url_fetcher' }))
      .thenEvents(registered(2, 'second', 'url_fetcher')));

  it.each([
    { what: 'present', past: [registered(1)] },
    { what: 'removed', past: [registered(1), removed(1)] },
  ])('is refused under the id of a $what server', ({ past }) =>
    given(...past)
      .when(register(1, 'other'))
      .thenRefused({ code: 'duplicate_id', serverId: idOf(1) }));

  it('says first what is wrong with the request itself, then what stands in its way', () => {
    const { when } = given(registered(1, 'taken', 'web_search'));
    const wrong = { name: 'taken', kind: 'web_search', limit: 1 };
    when(register(2, '_', { kind: 'none', limit: 1 })).thenRefused({ code: 'invalid_name', given: '_' });
    when(register(2, 'taken', { kind: 'none', limit: 1 })).thenRefused({ code: 'invalid_type', given: 'none', allowed: mcpServerKinds });
    when(register(2, 'taken', wrong)).thenRefused({ code: 'family_in_use', kind: 'web_search', by: 'taken', byServerId: idOf(1) });
    when(register(2, 'taken', { limit: 1 })).thenRefused({ code: 'limit_reached', limit: 1 });
  });
});

describe('enabling and disabling a server', () => {
  const enable = { type: 'Enable', serverId: idOf(1) } as const;
  const disable = { type: 'Disable', serverId: idOf(1) } as const;

  it('is recorded', () => {
    given(registered(1)).when(disable).thenEvents(disabled(1));
    given(registered(1), disabled(1)).when(enable).thenEvents(enabled(1));
  });

  it('is not recorded when it is already so', () => {
    given(registered(1)).when(enable).thenNothing();
    given(registered(1), disabled(1), enabled(1)).when(enable).thenNothing();
    given(registered(1), disabled(1)).when(disable).thenNothing();
  });

  it('is refused when another server of the family is enabled', () =>
    given(registered(1, 'first', 'web_search'), disabled(1), registered(2, 'second', 'web_search'))
      .when(enable)
      .thenRefused({ code: 'family_in_use', kind: 'web_search', by: 'second', byServerId: idOf(2) }));

  it('is possible again when that one is removed', () =>
    given(registered(1, 'first', 'web_search'), disabled(1), registered(2, 'second', 'web_search'), removed(2)).when(enable).thenEvents(enabled(1)));

  it('leaves the other servers as they are', () =>
    expect(given(registered(1), registered(2), disabled(1)).state.servers.map(({ status }) => status)).toEqual(['disabled', 'enabled']));
});

describe('removing a server', () => {
  it('is recorded, enabled or disabled', () => {
    given(registered(1)).when({ type: 'Remove', serverId: idOf(1) }).thenEvents(removed(1));
    given(registered(1), disabled(1)).when({ type: 'Remove', serverId: idOf(1) }).thenEvents(removed(1));
  });

  it('keeps it findable by its id only', () => {
    const { state } = given(registered(1, 'weather'), removed(1));
    expect(serverById(state, idOf(1))).toBeUndefined();
    expect(state.removed.get(idOf(1))).toMatchObject({ name: 'weather', status: 'removed' });
  });
});

describe.each(['Enable', 'Disable', 'Remove'] as const)('%s', (type) => {
  it('is refused for a server nobody registered', () =>
    given(registered(2)).when({ type, serverId: idOf(1) }).thenRefused({ code: 'not_found', serverId: idOf(1) }));

  it('is refused for a removed server', () =>
    given(registered(1), removed(1)).when({ type, serverId: idOf(1) }).thenRefused({ code: 'not_found', serverId: idOf(1) }));
});

describe('discovering tools', () => {
  it('records the first list and counts its definitions as accepted, each once', () =>
    given(registered(1))
      .when(record(tool('one'), tool('two', 'b'), tool('three')))
      .thenEvents(found(tool('one'), tool('two', 'b'), tool('three')), acceptedDefinitions('a'.repeat(64), 'b'.repeat(64))));

  it('records that a server offers nothing, which is not the same as unknown', () => {
    given(registered(1)).when(record()).thenEvents(found());
    expect(given(registered(1), found()).state.servers[0]?.discovery).toEqual({ tools: [], skipped: [], instructions: null });
  });

  it('records a later change and accepts nothing by itself', () =>
    given(registered(1), found(tool('one')), acceptedDefinitions('a'.repeat(64)))
      .when(record(tool('one', 'c')))
      .thenEvents(found(tool('one', 'c'))));

  it('accepts nothing by itself after an empty first list', () => given(registered(1), found()).when(record(tool('one'))).thenEvents(found(tool('one'))));

  it('records nothing when the list is the last one', () =>
    given(registered(1), found(tool('one'), tool('two'))).when(record(tool('one'), tool('two'))).thenNothing());

  it('records another order, and other left-out tools', () => {
    const { when } = given(registered(1), found(tool('one'), tool('two')));
    when(record(tool('two'), tool('one'))).thenEvents(found(tool('two'), tool('one')));
    const skipped = [{ name: null, reason: 'invalid_schema' }];
    when({ ...record(tool('one'), tool('two')), skipped }).thenEvents({
      type: 'McpToolsDiscovered',
      data: { serverId: idOf(1), tools: [tool('one'), tool('two')], skipped, instructions: null },
    });
  });

  it('starts anew with a new registration under the same name', () => {
    const past = [registered(2, 'weather'), removed(2), registered(1, 'weather')];
    given(...past)
      .when(record(tool('one')))
      .thenEvents(found(tool('one')), acceptedDefinitions('a'.repeat(64)));
  });

  it('is refused for a server nobody registered, or that is removed', () => {
    given().when(record()).thenRefused({ code: 'not_found', serverId: idOf(1) });
    given(registered(1), removed(1)).when(record()).thenRefused({ code: 'not_found', serverId: idOf(1) });
  });
});

describe('accepting definitions', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
  const past = [registered(1), found(tool('one')), acceptedDefinitions(a), found(tool('one', 'b'), tool('two', 'c'))];
  const accept = (definitions: readonly string[] | 'all') => ({ type: 'AcceptDefinitions', serverId: idOf(1), definitions }) as const;

  it('records the ones named', () =>
    given(...past)
      .when(accept([b]))
      .thenEvents(acceptedDefinitions(b)));

  it('records all that are offered now', () =>
    given(...past)
      .when(accept('all'))
      .thenEvents(acceptedDefinitions(b, c)));

  it('records only those that were not accepted before', () =>
    given(...past, acceptedDefinitions(b))
      .when(accept('all'))
      .thenEvents(acceptedDefinitions(c)));

  it('records nothing when all are accepted', () =>
    given(...past, acceptedDefinitions(b, c))
      .when(accept([b, b]))
      .thenNothing());

  it('is refused for one that is not offered any more', () =>
    given(...past)
      .when(accept([a, b]))
      .thenRefused({ code: 'not_offered', definitions: [a] }));

  it('is refused when the tools were never discovered', () =>
    given(registered(1)).when(accept('all')).thenRefused({ code: 'tools_unknown', serverId: idOf(1) }));

  it('remembers what was accepted before', () => expect(given(...past).state.servers[0]?.accepted).toEqual(new Set([a])));
});

describe('a server that is for one person only', () => {
  const audienceOf = (person: string | null) => ({ type: 'McpServerAudienceSet', data: { serverId: idOf(1), roles: null, channels: ['7'], person } }) as const;
  const replaced = (credential: 'none' | 'token' | 'oauth') => ({ type: 'McpCredentialReplaced', data: { serverId: idOf(1), credential } }) as const;
  const replace = (credential: 'none' | 'token' | 'oauth') => ({ type: 'ReplaceCredential', serverId: idOf(1), credential }) as const;

  it.each(['none', 'token'] as const)('is not any more when the account it was so for gives way to the credential %s', (credential) => {
    given(registered(1), audienceOf('ada')).when(replace(credential)).thenEvents(replaced(credential), audienceOf(null));
  });

  it('is left to who signs in: that sets the audience itself', () => {
    given(registered(1), audienceOf('ada')).when(replace('oauth')).thenEvents(replaced('oauth'));
  });

  it.each<[string, object, object]>([
    ['stays so in other channels', { channels: ['8'] }, { roles: null, channels: ['8'], person: 'ada' }],
    ['is for others in the same channels when that is said', { roles: ['1'], person: null }, { roles: ['1'], channels: ['7'], person: null }],
  ])('%s', (_, said, data) => {
    given(registered(1), audienceOf('ada')).when({ type: 'SetAudience', serverId: idOf(1), ...said }).thenEvents({ type: 'McpServerAudienceSet', data: { serverId: idOf(1), ...data } } as McpServersEvent);
  });

  it('stays as it is when nothing is said', () => {
    given(registered(1), audienceOf('ada')).when({ type: 'SetAudience', serverId: idOf(1) }).thenNothing();
  });

  it('leaves any other audience as it is', () => {
    given(registered(1), audienceOf(null)).when(replace('token')).thenEvents(replaced('token'));
  });
});
