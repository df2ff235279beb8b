import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { clientStore, type ClientStore } from '../../../../src/mcp/client/grants/clientStore.js';
import { openVault, type Vault } from '../../../../src/platform/vault/vault.js';

let directory: string;
let vault: Vault;
let clients: ClientStore;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'clients-'));
  vault = openVault({ file: join(directory, 'keys.db'), masterKeyFile: join(directory, 'master.key'), masterKey: null, clock: { now: () => 0 } });
  clients = clientStore(vault);
});
afterEach(() => {
  vault.close();
  rmSync(directory, { recursive: true });
});

const [one, other] = ['https://one.example', 'https://other.example'];
const known = (clientId: string, source: 'given' | 'registered' = 'registered') =>
  ({ client: { clientId, clientSecret: null, authMethod: 'none', source, redirectUri: 'http://127.0.0.1:1/oauth/callback', scopes: [], secretExpiresAt: null }, isAnswered: true }) as const;

it('who we are is told to the authorization server that gave it, for the workspace it was given for, and to no other', async () => {
  await clients.put('g1', one, known('a'));
  await clients.put('g1', other, known('b'));
  await clients.put('g2', one, known('c'));
  expect(await Promise.all([clients.read('g1', one), clients.read('g1', other), clients.read('g2', one), clients.read('g2', other)])).toEqual([known('a'), known('b'), known('c'), null]);
});

it('a workspace is forgotten, and one whose id begins alike is not', async () => {
  for (const workspace of ['g1', 'g12']) for (const issuer of [one, other]) await clients.put(workspace, issuer, known(workspace));
  await clients.forgetAll('g1');
  expect(await Promise.all(['g1', 'g12'].flatMap((workspace) => [one, other].map((issuer) => clients.read(workspace, issuer))))).toEqual([null, null, known('g12'), known('g12')]);
});

it('a client that was registered is forgotten when the authorization server does not know it; one that an admin gave stays, and one that is newer', async () => {
  await clients.put('g1', one, known('a'));
  await clients.put('g1', other, known('b', 'given'));
  await clients.forget('g1', one, 'an earlier one');
  expect(await clients.read('g1', one)).toEqual(known('a'));
  await clients.forget('g1', one, 'a');
  await clients.forget('g1', other, 'b');
  expect([await clients.read('g1', one), await clients.read('g1', other)]).toEqual([null, known('b', 'given')]);
});
