import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandHandler } from '../../../src/commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../../../src/commands/mcpServers/mcpServers.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../src/commands/mcpSignIn/mcpSignIn.js';
import { clientStore } from '../../../src/mcp/client/grants/clientStore.js';
import { completeSignIn } from '../../../src/operations/servers/signIn/ending/completeSignIn.js';
import { expireSignIns } from '../../../src/operations/servers/signIn/ending/settleSignIns.js';
import { newSignInSecret, signInLifeMs, signInStore, type PendingSignIn } from '../../../src/operations/servers/signIn/pendingSignIn.js';
import { sharedPresses } from '../../../src/operations/servers/signIn/pages/sharedPresses.js';
import { signInOutcomes } from '../../../src/operations/servers/signIn/signInOutcomes.js';
import { openKeeper, type AccountKeeper } from '../../support/oauth/accountKeeper.js';

const serverId = '0199aaaa-0000-7000-8000-00000000000a';
const signInId = '0199aaaa-0000-7000-8000-00000000000b';
const audience = { who: 'everyone', roles: [] } as const;
const tokens = { accessToken: 'access', refreshToken: 'refresh', expiresAt: null, scopes: ['tools'] };
const brought = { cookie: 'a', answer: 'b' };
const client = { clientId: 'c', clientSecret: null, authMethod: 'none', source: 'registered', redirectUri: 'http://127.0.0.1:1/oauth/callback', scopes: ['tools'], secretExpiresAt: null } as const;
const issuer = 'http://127.0.0.1:1';
const server = {
  issuer, authorizationEndpoint: `${issuer}/auth`, tokenEndpoint: `${issuer}/token`, registrationEndpoint: null, revocationEndpoint: null,
  issParameter: false, metadataDocuments: false, tokenAuthMethods: null, scopes: null,
};

let directory: string;
let keeper: AccountKeeper;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ending-'));
  keeper = openKeeper({ directory });
});
afterEach(async () => {
  await keeper.close();
  rmSync(directory, { recursive: true });
});

/** A sign-in of which an answer was taken, as it lies in the vault. */
async function begun(phase: PendingSignIn['phase'], handler: CommandHandler = keeper.handler) {
  await keeper.register(serverId, 'http://127.0.0.1:1/mcp');
  const origin = { actor: await keeper.signer(), door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;
  const pending = signInStore(keeper.vault);
  const [link, form, state] = [newSignInSecret(), newSignInSecret(), newSignInSecret()];
  const signIn: PendingSignIn = {
    signInId, serverId, serverName: 'club', origin, resource: 'http://127.0.0.1:1/mcp', server, issuerBefore: null, client,
    redirectUri: client.redirectUri, scopes: ['tools'], expiresAt: keeper.clock.time + signInLifeMs, secrets: { link, form, state }, phase,
  };
  await pending.put(signIn);
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'Start', serverId, signInId, issuer, client: 'registered', scopes: ['tools'] }], origin);
  const signIns = {
    pending, outcomes: signInOutcomes(), pressed: sharedPresses(), clients: clientStore(keeper.vault), stored: keeper.stored, grants: keeper.grants, authorization: keeper.authorization,
    door: async () => Promise.reject(new Error('nobody asks')), forgetToken: (id: string) => keeper.vault.deleteSecrets(id, 'token'),
  };
  return { signIns, services: { handler, signIns, clock: keeper.clock, remote: keeper.remote, vault: keeper.vault } };
}

const typesOf = async () => (await keeper.onRecord({ workspace: 'local', serverId, name: 'club' })).map(({ type }) => type);

describe('a sign-in whose answer was taken and whose end could not be recorded', () => {
  it('is left alone while it may still be exchanged, and then ended, and who waits is told', async () => {
    const { signIns, services } = await begun({ kind: 'answered', audience });
    const ended = signIns.outcomes.wait(signInId, new AbortController().signal);
    keeper.clock.time += signInLifeMs + 59_999;
    await expireSignIns(services);
    expect(await typesOf()).toEqual(['McpServerRegistered', 'McpSignInStarted']);
    keeper.clock.time += 1;
    await expireSignIns(services);
    expect(await ended).toMatchObject({ status: 'failed', reason: 'interrupted' });
    expect(await typesOf()).toEqual(['McpServerRegistered', 'McpSignInStarted', 'McpSignInFailed']);
  });

  it('is completed when it has its tokens', async () => {
    const { services } = await begun({ kind: 'exchanged', audience, tokens, brought });
    keeper.clock.time += signInLifeMs + 60_000;
    await expireSignIns(services);
    expect(await typesOf()).toEqual(['McpServerRegistered', 'McpSignInStarted', 'McpSignInCompleted', 'McpCredentialReplaced']);
    expect((await keeper.stored.read(serverId))?.grant).toMatchObject({ signInId, tokens });
  });
});

it('a server that is removed while an account is put to use keeps nothing of it, and nobody waits for it', async () => {
  const removing: CommandHandler = {
    ...keeper.handler,
    execute: async (decider, stream, commands, origin, options) => {
      const isUse = (commands[0] as { readonly type?: unknown }).type === 'ReplaceCredential';
      if (isUse) await keeper.handler.execute(mcpServersDecider, mcpServersStream('local'), [{ type: 'Remove', serverId }], origin);
      return keeper.handler.execute(decider, stream, commands, origin, options);
    },
  };
  const phase = { kind: 'exchanged', audience, tokens, brought } as const;
  const { signIns, services } = await begun(phase, removing);
  const found = await signIns.pending.read(signInId);
  if (found === null || !('pending' in found)) throw new Error('not begun');
  const before = keeper.clock.time;
  await expect(completeSignIn(services, { pending: { ...found.pending, phase }, version: found.version })).rejects.toMatchObject({ code: 'server_removed' });
  // The clock of this world only goes on while somebody waits for a lease.
  expect(keeper.clock.time).toBe(before);
  expect(await keeper.stored.read(serverId)).toBeNull();
  expect((await typesOf()).slice(2)).toEqual(['McpSignInCompleted', 'McpServerRemoved', 'McpSignedOut']);
});
