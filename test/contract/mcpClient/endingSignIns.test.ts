import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startExpiring } from '../../../src/app/serve/startExpiring.js';
import { serverSecrets } from '../../../src/app/owner/servers/serverSecrets.js';
import { systemOrigin, type CommandHandler } from '../../../src/commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../../../src/commands/mcpServers/mcpServers.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../src/commands/mcpSignIn/mcpSignIn.js';
import { systemSubject } from '../../../src/events/envelope.js';
import type { StoredGrant } from '../../../src/mcp/client/grants/storedGrant.js';
import { workspaceDecider, workspaceStream } from '../../../src/commands/workspace.js';
import { clientStore } from '../../../src/mcp/client/grants/clientStore.js';
import { replaceMcpCredential } from '../../../src/operations/servers/registering/replaceMcpCredential.js';
import type { OwnerServices } from '../../../src/operations/services.js';
import { completeSignIn } from '../../../src/operations/servers/signIn/ending/completeSignIn.js';
import { expireSignIns, settleSignIns } from '../../../src/operations/servers/signIn/ending/settleSignIns.js';
import { signInLifeMs, type PendingSignIn } from '../../../src/operations/servers/signIn/pending/pendingSignIn.js';
import { redirectSignIn } from '../../../src/operations/servers/signIn/pages/redirectSignIn.js';
import { newSignInSecret } from '../../../src/operations/servers/signIn/pending/signInSecrets.js';
import { signInStore } from '../../../src/operations/servers/signIn/pending/signInStore.js';
import { wordOf } from '../../../src/operations/servers/signIn/pending/signInWord.js';
import { sharedPresses } from '../../../src/operations/servers/signIn/sharedPresses.js';
import { signInOutcomes } from '../../../src/operations/servers/signIn/signInOutcomes.js';
import type { Schedule } from '../../../src/platform/time/schedule.js';
import { makeToolRegistry } from '../../../src/tools/registry.js';
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

const invocation = { caller: { actor: systemSubject, door: 'cli', onBehalfOf: null }, signal: new AbortController().signal, progress: () => undefined } as const;

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
  const [link, form, state] = [newSignInSecret(randomBytes), newSignInSecret(randomBytes), newSignInSecret(randomBytes)];
  const signIn: PendingSignIn = {
    signInId, serverId, serverName: 'club', origin, resource: 'http://127.0.0.1:1/mcp', server, issuerBefore: null, client,
    redirectUri: client.redirectUri, scopes: ['tools'], expiresAt: keeper.clock.time + signInLifeMs, secrets: { link, form, state }, phase,
  };
  await pending.put(signIn);
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'Start', serverId, signInId, issuer, client: 'registered', scopes: ['tools'] }], origin);
  const signIns = {
    pending, outcomes: signInOutcomes(), pressed: sharedPresses(), clients: clientStore(keeper.vault), stored: keeper.stored, grants: keeper.grants, authorization: keeper.authorization, randomBytes,
    door: async () => Promise.reject(new Error('nobody asks')),
  };
  return { signIns, services: { handler, signIns, clock: keeper.clock, remote: keeper.remote, vault: keeper.vault, secrets: serverSecrets(keeper.vault) } };
}

const typesOf = async () => (await keeper.onRecord({ workspace: 'local', serverId, name: 'club' })).map(({ type }) => type);

describe('a sign-in whose answer was taken and whose end could not be recorded', () => {
  it('is left alone while it may still be exchanged, and then ended, and who waits is told', async () => {
    const { signIns, services } = await begun({ kind: 'answered', audience, brought });
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

describe('a start', () => {
  it('takes the accounts of people out of use who were erased while nobody ran', async () => {
    const { services } = await begun({ kind: 'exchanged', audience, tokens, brought });
    await settleSignIns(services, (error) => { throw error; });
    expect(await keeper.stored.read(serverId)).not.toBeNull();
    await keeper.vault.destroySubjects([await keeper.signer()]);
    await settleSignIns(services, (error) => { throw error; });
    expect(await keeper.stored.read(serverId)).toBeNull();
    expect((await typesOf()).slice(4)).toEqual(['McpReauthorizationRequired', 'McpServerParked', 'McpTokensGivenUp']);
  });

  it('and every minute after it end what is over, and forget what ended before', async () => {
    const { signIns, services } = await begun({ kind: 'offered' });
    const found = await signIns.pending.read(signInId);
    if (found === null || !('pending' in found)) throw new Error('not begun');
    const first = found.pending;
    const planned: (() => void)[] = [];
    const schedule: Schedule = (ms, work) => {
      expect(ms).toBe(60_000);
      planned.push(work);
      return () => undefined;
    };
    keeper.clock.time += signInLifeMs;
    const stop = startExpiring(services as unknown as OwnerServices, schedule, (error) => { throw error; });
    while (planned.length === 0) await nextTurn();
    expect((await typesOf()).slice(2)).toEqual(['McpSignInFailed']);
    // Its time was over before, so nothing is left of it.
    expect(await signIns.pending.read(signInId)).toBeNull();
    await signIns.pending.put({ ...first, expiresAt: keeper.clock.time + 60_000 });
    keeper.clock.time += 60_000;
    planned.shift()?.();
    while (planned.length === 0) await nextTurn();
    expect(await signIns.pending.read(signInId)).toBeNull();
    await stop();
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

describe('a token that is pasted while a sign-in completes', () => {
  it('and its account take turns: what is used is what is on record, and nothing else is left', async () => {
    const phase = { kind: 'exchanged', audience, tokens, brought } as const;
    const { signIns, services } = await begun(phase);
    const found = await signIns.pending.read(signInId);
    if (found === null || !('pending' in found)) throw new Error('not begun');
    const secrets = serverSecrets(keeper.vault);
    await secrets.put(serverId, { url: 'http://127.0.0.1:1/mcp', token: null });
    const completing: Promise<void>[] = [];
    const replacing = {
      ...services,
      registry: makeToolRegistry([]),
      // Once there is no account any more, and before the token is there.
      secrets: {
        ...secrets,
        setToken: async (id: string, token: string | null) => {
          completing.push(completeSignIn(services, { pending: { ...found.pending, phase }, version: found.version }));
          // More than it takes to complete where nothing is waited for.
          for (let turn = 0; turn < 100; turn += 1) await nextTurn();
          await secrets.setToken(id, token);
        },
      },
      probe: async () => ({ ok: true, listing: { tools: [], skipped: [], instructions: null } }),
    };
    await replaceMcpCredential.run(replacing as unknown as OwnerServices, { name: 'server-0a', workspace: 'local', token: 'pasted-token' }, invocation);
    await Promise.all(completing);
    expect((await typesOf()).slice(2)).toEqual(['McpCredentialReplaced', 'McpToolsDiscovered', 'McpSignInCompleted', 'McpCredentialReplaced']);
    expect((await keeper.serverOf({ workspace: 'local', serverId, name: 'club' }))?.credential).toBe('oauth');
    expect((await keeper.stored.read(serverId))?.grant.signInId).toBe(signInId);
    expect(await keeper.vault.getSecret(serverId, 'token')).toBeNull();
  });
});

describe('an account that is put to use', () => {
  const phase = { kind: 'exchanged', audience, tokens, brought } as const;

  /** A sign-in that has its tokens, and what completes it. */
  async function exchanged(handler: CommandHandler = keeper.handler) {
    const { signIns, services } = await begun(phase, handler);
    const found = await signIns.pending.read(signInId);
    if (found === null || !('pending' in found)) throw new Error('not begun');
    return { signIns, services, complete: () => completeSignIn(services, { pending: { ...found.pending, phase }, version: found.version }) };
  }

  /** An account that was signed in before. */
  async function hadBefore(change: Partial<StoredGrant>): Promise<void> {
    const before = { signInId: '0199aaaa-0000-7000-8000-00000000000c', signer: await keeper.signer(), workspace: 'local', resource: 'http://127.0.0.1:1/mcp', server, client, tokens, ...change };
    await keeper.use({ workspace: 'local', serverId, name: 'club' }, before, ['tools']);
  }

  it('although its person is erased at the same moment is taken out of use and forgotten', async () => {
    const erasing: CommandHandler = {
      ...keeper.handler,
      execute: async (decider, stream, commands, origin, options) => {
        if ((commands[0] as { readonly type?: unknown }).type === 'ReplaceCredential') await keeper.vault.destroySubjects([await keeper.signer()]);
        return keeper.handler.execute(decider, stream, commands, origin, options);
      },
    };
    const { complete } = await exchanged(erasing);
    await expect(complete()).rejects.toMatchObject({ code: 'signer_erased' });
    expect(await keeper.stored.read(serverId)).toBeNull();
    expect((await keeper.onRecord({ workspace: 'local', serverId, name: 'club' })).slice(2)).toMatchObject([
      { type: 'McpSignInCompleted' },
      { type: 'McpCredentialReplaced' },
      { type: 'McpReauthorizationRequired', data: { reason: 'signer_erased' } },
      { type: 'McpServerParked' },
      { type: 'McpTokensGivenUp', data: { signInId, reason: 'signer_erased', revocation: 'unsupported' } },
    ]);
  });

  it('of a person who was erased after a process had died with it half on record is ended', async () => {
    const { services, complete } = await exchanged({
      ...keeper.handler,
      execute: async (decider, stream, commands, origin, options) => {
        if ((commands[0] as { readonly type?: unknown }).type === 'ReplaceCredential') throw new Error('it died');
        return keeper.handler.execute(decider, stream, commands, origin, options);
      },
    });
    await expect(complete()).rejects.toThrow('it died');
    await keeper.vault.destroySubjects([await keeper.signer()]);
    const warned: unknown[] = [];
    await settleSignIns({ ...services, handler: keeper.handler }, (error) => warned.push(error));
    expect(warned).toMatchObject([{ code: 'signer_erased' }]);
    expect((await keeper.onRecord({ workspace: 'local', serverId, name: 'club' })).slice(2)).toMatchObject([{ type: 'McpSignInCompleted' }, { type: 'McpSignedOut', data: { reason: 'signer_erased', revocation: 'unsupported' } }]);
    expect((await keeper.signInState({ workspace: 'local', serverId, name: 'club' })).grant).toBeNull();
  });

  it('in a workspace that was closed while the tokens came is revoked instead', async () => {
    const { complete } = await exchanged();
    await keeper.handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Open', kind: 'local' }], systemOrigin('local'));
    await keeper.handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Close' }], systemOrigin('local'));
    await expect(complete()).rejects.toMatchObject({ code: 'workspace_closed' });
    expect(await keeper.stored.read(serverId)).toBeNull();
    expect((await typesOf()).slice(2)).toEqual(['McpTokensGivenUp', 'McpSignInFailed']);
  });

  const apart: readonly (readonly [string, Partial<StoredGrant>])[] = [
    ['another person', { signer: '0199aaaa-0000-7000-8000-0000000000ff' }],
    ['another client', { client: { ...client, clientId: 'd' } }],
    ['another authorization server', { server: { ...server, issuer: 'http://127.0.0.1:2' } }],
  ];
  it.each(apart)('in the place of one of %s ends that one, on record', async (_whose, change) => {
    const { complete } = await exchanged();
    await hadBefore(change);
    await complete();
    const events = (await keeper.onRecord({ workspace: 'local', serverId, name: 'club' })).slice(-3);
    expect(events).toMatchObject([{ type: 'McpSignedOut', data: { reason: 'replaced', revocation: 'unsupported' } }, { type: 'McpSignInCompleted' }, { type: 'McpCredentialReplaced' }]);
    expect((await keeper.stored.read(serverId))?.grant.signInId).toBe(signInId);
  });

  it('in the place of one\u2019s own leaves that alone: some authorization servers would end both', async () => {
    const { complete } = await exchanged();
    await hadBefore({});
    await complete();
    expect(await typesOf()).not.toContain('McpSignedOut');
    expect((await keeper.stored.read(serverId))?.grant.signInId).toBe(signInId);
  });
});

it('a sign-out that a process left half done is finished by the next start', async () => {
  const { services } = await begun({ kind: 'offered' });
  const grant = { signInId: '0199aaaa-0000-7000-8000-00000000000c', signer: await keeper.signer(), workspace: 'local', resource: 'http://127.0.0.1:1/mcp', server, client, tokens };
  await keeper.use({ workspace: 'local', serverId, name: 'club' }, grant, ['tools']);
  const died = async (): Promise<never> => Promise.reject(new Error('it died'));
  await expect(keeper.grants.alone(serverId, (held) => held.end({ serverId, workspace: 'local', url: null }, { reason: 'asked', origin: systemOrigin('local'), next: died }))).rejects.toThrow('it died');
  // A full disk keeps no start from going on.
  const warned: unknown[] = [];
  await settleSignIns({ ...services, handler: { ...keeper.handler, execute: async () => Promise.reject(new Error('disk full')) } }, (error) => warned.push(error));
  expect(warned).toMatchObject([{ message: 'disk full' }]);
  await settleSignIns(services, () => undefined);
  const stands = await keeper.serverOf({ workspace: 'local', serverId, name: 'club' });
  expect([stands?.credential, stands?.connection.parked?.reason]).toEqual(['none', 'needs_sign_in']);
  // Nobody uses what is left, and beside `serve` it is revoked.
  expect(await keeper.grants.unrecorded()).toEqual([{ workspace: 'local', serverId }]);
});

describe('two browsers that press the button of the first page at the same time', () => {
  it('are not both sent on: the second one is turned away', async () => {
    const { signIns, services } = await begun({ kind: 'offered' });
    const found = await signIns.pending.read(signInId);
    if (found === null || !('pending' in found)) throw new Error('not begun');
    const { link, form } = found.pending.secrets;
    const press = (page: string) => redirectSignIn.run(services as unknown as OwnerServices, { link: wordOf(signInId, link), csrf: form, page, cookie: null, audience: { who: 'everyone', roles: [] } }, invocation);
    const [one, other] = await Promise.allSettled([press('one'), press('other')]);
    expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(one.status === 'rejected' ? one.reason : other.status === 'rejected' ? other.reason : null).toMatchObject({ code: 'sign_in_used' });
    expect((await keeper.onRecord({ workspace: 'local', serverId, name: 'club' })).slice(2)).toMatchObject([{ type: 'McpSignInRefused', data: { reason: 'link_used' } }]);
  });
});
