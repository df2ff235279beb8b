import { expect, it } from '@jest/globals';
import type { ServerView } from '../../../src/projections/mcpServers/queries.js';
import type { Views } from '../../../src/projections/views.js';
import { serversSeen } from '../../../src/operations/servers/serversSeen.js';

const grant = { signer: 'ada', since: 0, issuer: 'https://as.example', scopes: null, renewable: true, lapsed: null, wanted: [] };
const server: ServerView = {
  serverId: 's', name: 'club', kind: 'generic', scheme: 'https', host: 'mcp.example', port: 443, state: 'enabled', registeredAt: 0, registeredBy: 'ada', changedAt: 0,
  credential: 'oauth', autoDisabled: null, connection: { streak: null, waitUntil: null, parked: null }, grant,
};

it.each<[string, Partial<ServerView>, readonly string[], string | null]>([
  ['nothing, when everything is there', {}, ['url', 'grant'], null],
  ['its address', {}, ['grant'], 'address'],
  ['its address, which counts for more than its tokens', {}, [], 'address'],
  ['the tokens of its account', {}, ['url'], 'tokens'],
  ['the token that was set for it', { credential: 'token', grant: null }, ['url', 'grant'], 'token'],
  ['nothing, when that token is there', { credential: 'token', grant: null }, ['url', 'token'], null],
  ['nothing of one without an account', { credential: 'none', grant: null }, ['url'], null],
  ['nothing more of an account that has lapsed', { grant: { ...grant, lapsed: 'invalid_grant' } }, ['url'], null],
  ['nothing that is meant to be gone: its workspace was closed', { credential: 'deleted', grant: null }, [], null],
  ['nothing that is meant to be gone: it was removed', { state: 'removed' }, [], null],
])('of a server is missing in the vault: %s', async (_, change, names, lost) => {
  const views = { query: async () => [{ ...server, ...change }] } as unknown as Views;
  const held = { hasSecret: async (owner: string, name: string) => owner === 's' && names.includes(name) };
  expect(await serversSeen({ views, held }, 'local')).toEqual([{ ...server, ...change, lost }]);
});
