import { describe, expect, it } from '@jest/globals';
import type { McpServersEvent } from '../../../../src/events/catalogue/mcpServers/mcpServers.js';
import { entriesOf } from '../../../../src/operations/servers/replay/lifeEntries.js';
import { toolDefinitionStream } from '../../../../src/commands/toolDefinition.js';
import { TestLedger } from '../../../support/projections/testLedger.js';
import { definition, discovered, failedOnce, hour, minute, onRecord, plainly, registered, serverId } from '../../../support/serverLife.js';

/** A ledger that has no texts of definitions. */
const noTexts = { readStream: async () => [] };

/** The sentence of the last of these events, a minute apart from 1970 on. */
async function lastText(...events: readonly McpServersEvent[]): Promise<string | undefined> {
  return (await entriesOf(noTexts, onRecord(...events.map((known, index) => [index * minute, known] as const)))).at(-1)?.text;
}

const failing = [registered(), failedOnce(1, 5 * minute), failedOnce(2, 10 * minute, { class: 'unreachable' })];
const parked = { type: 'McpServerParked', data: { serverId, reason: 'needs_sign_in' } } as const;
const accepted = { type: 'McpToolDefinitionsAccepted', data: { serverId, definitions: [definition('a'), definition('z')] } } as const;

describe('what happened to a server, in a sentence', () => {
  it.each<[string, readonly McpServersEvent[]]>([
    ['Registered as notes (generic) at https://mcp.example:443, with a token.', [registered()]],
    ['Registered as notes (web_search) at https://mcp.example:443, without a token.', [registered({ kind: 'web_search', credential: 'none' })]],
    ['Failure 2 in a row (unreachable): left alone for 10m, until 1970-01-01T00:12:00.000Z.', failing],
    ['It was tried on request and failed (timeout); that does not count.', [...failing, failedOnce(2, 0, { counted: false })]],
    ['It asked to wait (rate_limited): left alone for 1m, until 1970-01-01T00:02:00.000Z; that does not count.', [registered(), failedOnce(0, minute, { counted: false, class: 'rate_limited' })]],
    ['It asked to wait (rate_limited): left alone for 1d, until 1970-01-02T00:01:00.000Z, which is the longest that is kept to; that does not count.', [registered(), failedOnce(0, 24 * hour, { counted: false, class: 'rate_limited' })]],
    ['Reached again, after it failed 2 times in a row since 1970-01-01T00:01:00.000Z (last: unreachable).', [...failing, plainly('McpConnectionRecovered')]],
    ['Reached again after the wait.', [registered(), failedOnce(0, minute, { counted: false }), plainly('McpConnectionRecovered')]],
    [
      'Disabled by itself, because it failed 2 times in a row since 1970-01-01T00:01:00.000Z (last: unreachable).',
      [...failing, { type: 'McpServerAutoDisabled', data: { serverId, class: 'unreachable', failures: 2, failingSince: minute } }],
    ],
    ['Parked (needs_sign_in). It wants a sign-in or a token, and has none.', [registered(), parked]],
    ['Looked at again and still parked (needs_sign_in).', [registered(), parked, parked]],
    ['No longer parked.', [registered(), parked, plainly('McpServerUnparked')]],
    ['It no longer knew the session during a call; the next one shakes hands again.', [registered(), plainly('McpSessionExpired')]],
    ['Its token was replaced.', [registered(), { type: 'McpCredentialReplaced', data: { serverId, credential: 'token' } }]],
    ['Its credential was taken away.', [registered(), { type: 'McpCredentialReplaced', data: { serverId, credential: 'none' } }]],
    ['Its address and credential were deleted, because the workspace had been closed for long enough.', [registered(), plainly('McpCredentialDeleted')]],
    ['Its tool search was switched off.', [registered(), { type: 'McpToolSwitchSet', data: { serverId, remoteName: 'search', on: false } }]],
    ['Made for members with one of the roles 1, 2, everywhere.', [registered(), { type: 'McpServerAudienceSet', data: { serverId, roles: ['1', '2'], channels: null, person: null } }]],
    ['Made for everyone, in the channels 3.', [registered(), { type: 'McpServerAudienceSet', data: { serverId, roles: null, channels: ['3'], person: null } }]],
    ['Tools discovered: search, fetch.', [registered(), discovered({ search: 'a', fetch: 'b' })]],
    ['Tools discovered: none. Left out: 1.', [registered(), discovered({}, { skipped: [{ name: 'bad', reason: 'bad_name' }] })]],
    ['What it offers changed: added: new; changed: fetch; removed: search.', [registered(), discovered({ search: 'a', fetch: 'b' }), discovered({ fetch: 'c', new: 'd' })]],
    ['What it offers changed: no tool did, but their order or what is left out.', [registered(), discovered({ a: 'a', b: 'b' }), discovered({ b: 'b', a: 'a' })]],
    ['What it offers changed: what it says of how to use it.', [registered(), discovered({ a: 'a' }), discovered({ a: 'a' }, { instructions: { hash: definition('i'), text: 'Be kind.' } })]],
    [`Definitions accepted of search, ${definition('z')}.`, [registered(), discovered({ search: 'a' }), accepted]],
    ['Enabled.', [registered(), plainly('McpServerEnabled')]],
    ['Disabled.', [registered(), plainly('McpServerDisabled')]],
    ['Removed.', [registered(), plainly('McpServerRemoved')]],
  ])('%s', async (text, events) => {
    expect(await lastText(...events)).toBe(text);
  });
});

describe('an entry', () => {
  it('says when, who and for whom, and where it lies', async () => {
    const [entry] = await entriesOf(noTexts, onRecord([minute, registered(), { actor: 'ada', onBehalfOf: 'bob' }]));
    expect(entry).toMatchObject({ position: '1', recordedAt: '1970-01-01T00:01:00.000Z', type: 'McpServerRegistered', actor: 'ada', door: 'cli', onBehalfOf: 'bob', data: { name: 'notes' }, changes: null, diffs: null });
  });

  it('of a discovery says what changed since the one before; at first everything is new', async () => {
    const entries = await entriesOf(noTexts, onRecord([0, registered()], [1, discovered({ search: 'a', fetch: 'b' })], [2, discovered({ fetch: 'c', new: 'd' })]));
    expect(entries.map(({ changes }) => changes)).toEqual([null, { added: ['search', 'fetch'], changed: [], removed: [] }, { added: ['new'], changed: ['fetch'], removed: ['search'] }]);
  });

  it('of a discovery shows what changed in each definition, as far as its texts are there', async () => {
    const life = onRecord([0, registered()], [1, discovered({ search: 'a', fetch: 'b' })], [2, discovered({ search: 'c', fetch: 'd' })]);
    const texts = new TestLedger();
    for (const [letter, description] of [['a', 'Searches.'], ['c', 'Searches twice.']] as const) {
      texts.add({ type: 'ToolDefinitionRecorded', data: { hash: definition(letter), definition: { name: 'search', description, inputSchema: { type: 'object' } } } }, { stream: toolDefinitionStream(definition(letter)) });
    }
    const entries = await entriesOf({ readStream: async (stream, from, limit) => texts.readStream(stream, from, limit) }, life);
    expect(entries.map(({ diffs }) => diffs)).toEqual([null, [], [{ name: 'search', fields: [{ field: 'description', lines: ['- Searches.', '+ Searches twice.'] }] }]]);
  });
});
