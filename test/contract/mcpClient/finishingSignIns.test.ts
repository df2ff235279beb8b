import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverSecrets } from '../../../src/app/owner/servers/serverSecrets.js';
import type { CommandHandler, Origin } from '../../../src/commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream, type McpServersCommand } from '../../../src/commands/mcpServers/mcpServers.js';
import { mcpSignInDecider, mcpSignInStream, type McpSignInCommand } from '../../../src/commands/mcpSignIn/mcpSignIn.js';
import { workspaceDecider, workspaceStream } from '../../../src/commands/workspace.js';
import { systemSubject } from '../../../src/events/envelope.js';
import { EventStoreError } from '../../../src/events/storeError.js';
import { clientStore } from '../../../src/mcp/client/grants/clientStore.js';
import type { OwnerServices } from '../../../src/operations/services.js';
import { expireSignIns } from '../../../src/operations/servers/signIn/ending/settleSignIns.js';
import { answeredSignIn } from '../../../src/operations/servers/signIn/pages/answeredSignIn.js';
import { finishSignIn } from '../../../src/operations/servers/signIn/pages/finishing/finishSignIn.js';
import { sharedPresses } from '../../../src/operations/servers/signIn/sharedPresses.js';
import { signInLifeMs, type PendingSignIn } from '../../../src/operations/servers/signIn/pending/pendingSignIn.js';
import { newSignInSecret } from '../../../src/operations/servers/signIn/pending/signInSecrets.js';
import { signInStore } from '../../../src/operations/servers/signIn/pending/signInStore.js';
import { wordOf } from '../../../src/operations/servers/signIn/pending/signInWord.js';
import { signInOutcomes } from '../../../src/operations/servers/signIn/signInOutcomes.js';
import type { ReachServers, Reached } from '../../../src/tools/reachServers.js';
import { makeToolRegistry } from '../../../src/tools/registry.js';
import { openKeeper, type AccountKeeper } from '../../support/oauth/accountKeeper.js';
import { startLocalServer, type LocalServer } from '../../support/oauth/servers/localServer.js';

const serverId = '0199aaaa-0000-7000-8000-00000000000a';
const signInId = '0199aaaa-0000-7000-8000-00000000000b';
const otherSignIn = '0199aaaa-0000-7000-8000-00000000000c';
const url = 'http://127.0.0.1:1/mcp';
const audience = { who: 'everyone', roles: [] } as const;
const invocation = { caller: { actor: systemSubject, door: 'system', onBehalfOf: null }, signal: new AbortController().signal, progress: () => undefined } as const;
const listed: Reached = { ok: true, listing: { tools: [], skipped: [], instructions: null } };
const full = new EventStoreError({ code: 'read_only', cause: 'disk_full', detail: 'SQLITE_FULL' });

let granted: string;
let asked: string[];
let tokenEndpoint: LocalServer;
beforeAll(async () => {
  tokenEndpoint = await startLocalServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ access_token: 'access', token_type: 'Bearer', refresh_token: 'refresh', scope: granted }));
  });
});
afterAll(() => tokenEndpoint.stop());

let directory: string;
let keeper: AccountKeeper;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'finishing-'));
  keeper = openKeeper({ directory });
  granted = 'tools';
  asked = [];
});
afterEach(async () => {
  await keeper.close();
  rmSync(directory, { recursive: true });
});

interface Given {
  /** What the look after the sign-in comes to. */
  readonly reach?: (on: { readonly origin: Origin }) => Promise<Reached>;
  /** In place of the ledger, for commands of this type. */
  readonly failing?: { readonly type: string; readonly error: Error; times: number };
  readonly scopes?: readonly string[];
}

/** A sign-in whose browser has come back from the authorization server, and somebody who waits for it. */
async function cameBack({ reach = async () => listed, failing, scopes = ['tools'] }: Given = {}) {
  const handler: CommandHandler = {
    ...keeper.handler,
    execute: async (decider, stream, commands, origin, options) => {
      if (failing !== undefined && failing.times > 0 && (commands[0] as { readonly type?: unknown }).type === failing.type) {
        failing.times -= 1;
        throw failing.error;
      }
      return keeper.handler.execute(decider, stream, commands, origin, options);
    },
  };
  await keeper.register(serverId, url);
  const origin = { actor: await keeper.signer(), door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;
  await handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Open', kind: 'local' }], origin);
  const secrets = serverSecrets(keeper.vault);
  await secrets.put(serverId, { url, token: null });
  const issuer = tokenEndpoint.origin;
  const client = { clientId: 'c', clientSecret: null, authMethod: 'none', source: 'registered', redirectUri: 'http://127.0.0.1:1/oauth/callback', scopes, secretExpiresAt: null } as const;
  const server = {
    issuer, authorizationEndpoint: `${issuer}/auth`, tokenEndpoint: `${issuer}/token`, registrationEndpoint: null, revocationEndpoint: null,
    issParameter: false, metadataDocuments: false, tokenAuthMethods: null, scopes: null,
  };
  const [link, form, state, cookie, verifier] = Array.from({ length: 5 }, () => newSignInSecret(randomBytes)) as [string, string, string, string, string];
  const pending: PendingSignIn = {
    signInId, serverId, serverName: 'club', origin, resource: url, server, issuerBefore: null, client, redirectUri: client.redirectUri, scopes,
    expiresAt: keeper.clock.time + signInLifeMs, secrets: { link, form, state }, phase: { kind: 'redirected', cookie, page: 'p', verifier, audience },
  };
  const store = signInStore(keeper.vault);
  await store.put(pending);
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'Start', serverId, signInId, issuer, client: 'registered', scopes }], origin);
  const signIns = {
    pending: store, outcomes: signInOutcomes(), pressed: sharedPresses(), clients: clientStore(keeper.vault), stored: keeper.stored, grants: keeper.grants, authorization: keeper.authorization, randomBytes,
    door: async () => Promise.reject(new Error('nobody asks')), forgetToken: (id: string) => keeper.vault.deleteSecrets(id, 'token'),
  };
  const reaching: ReachServers = { reach: async () => reach({ origin }), settled: async () => undefined };
  const services = { handler, signIns, clock: keeper.clock, remote: keeper.remote, vault: keeper.vault, secrets, reach: reaching, registry: makeToolRegistry([]) } as unknown as OwnerServices;
  const answer = { state: wordOf(signInId, state), cookie, iss: null, error: null, errorDescription: null, code: 'the-code' };
  return {
    services,
    origin,
    told: signIns.outcomes.wait(signInId, new AbortController().signal),
    confirm: () => finishSignIn.run(services, { ...answer, csrf: form }, invocation),
    look: () => answeredSignIn.run(services, answer, invocation),
  };
}

const typesOf = async () => (await keeper.onRecord({ workspace: 'local', serverId, name: 'club' })).map(({ type }) => type);
const atSignIn = (command: McpSignInCommand, origin: Origin) => keeper.handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [command], origin);
const atServers = (command: McpServersCommand, origin: Origin) => keeper.handler.execute(mcpServersDecider, mcpServersStream('local'), [command], origin);
const sentence = (text: string): unknown => expect.stringContaining(text);

describe('a sign-in that is in use and on record', () => {
  it('is told as one when the ledger fails while it is looked what the server offers, in the words of the store', async () => {
    const { told, confirm } = await cameBack({ reach: async () => Promise.reject(full) });
    await expect(confirm()).rejects.toMatchObject({ code: 'signed_in_unseen', cause: full, details: { server: 'club' } });
    expect(await told).toMatchObject({ status: 'signed_in_unusable', reason: 'read_only', message: sentence('Signed in to club, but it cannot be used yet: The ledger cannot be written (disk_full: SQLITE_FULL).') });
    expect(await typesOf()).toContain('McpSignInCompleted');
  });

  it('is told as one when looking fails inside, which goes to the log', async () => {
    const inside = new Error('inside');
    const { told, confirm } = await cameBack({ reach: async () => Promise.reject(inside) });
    await expect(confirm()).rejects.toMatchObject({ code: 'signed_in_unseen', cause: inside });
    expect(await told).toMatchObject({ status: 'signed_in_unusable', reason: 'internal_error', message: sentence('Signed in to club') });
  });

  it('is told as one when only what is left of it could not be cleared away', async () => {
    const { services, told, confirm } = await cameBack();
    services.signIns.pending.end = async () => Promise.reject(new Error('disk full'));
    expect(await confirm()).toMatchObject({ signedIn: true, usable: true });
    expect(await told).toMatchObject({ status: 'signed_in' });
  });

  it('says why its server is left alone', async () => {
    const { told, confirm } = await cameBack({ reach: async () => ({ ok: false, class: 'not_dialled', reason: 'workspace_closed', message: 'The workspace is closed.' }) });
    expect(await confirm()).toMatchObject({ signedIn: true, usable: false, sentence: 'Signed in to club, but it cannot be used yet: The workspace is closed. When that is put right, `toolledger mcp refresh club` looks again.' });
    expect(await told).toMatchObject({ status: 'signed_in_unusable', reason: 'workspace_closed' });
  });

  it('names the scopes that were not granted each in quotes of its own, whatever they are', async () => {
    const { told, confirm } = await cameBack({ scopes: ['tools', '`toolledger', 'set-token`'] });
    const said = sentence('Not granted, though asked for: \u201c`toolledger\u201d, \u201cset-token`\u201d.');
    expect(await confirm()).toMatchObject({ sentence: said });
    expect(await told).toMatchObject({ message: said });
  });
});

describe('a sign-in that has its tokens and could not be put on record', () => {
  it.each(['Complete', 'ReplaceCredential'])('at %s is not told as failed, and completes by itself', async (type) => {
    const { services, told, confirm, look } = await cameBack({ failing: { type, error: full, times: 1 } });
    await expect(confirm()).rejects.toMatchObject({ code: 'sign_in_unrecorded', cause: full });
    expect(await told).toMatchObject({ status: 'pending', reason: 'read_only', message: expect.stringMatching(/could not be put on record yet: The ledger cannot be written .+ completed by itself, .+ after \d\d:\d\d UTC/) as unknown });
    // Who looks again, or presses again, is told the same.
    for (const again of [look, confirm]) await expect(again()).rejects.toMatchObject({ code: 'sign_in_unrecorded' });
    expect(await typesOf()).not.toContain('McpSignInRefused');
    keeper.clock.time += signInLifeMs + 60_000;
    await expireSignIns(services);
    expect((await typesOf()).slice(2)).toEqual(['McpSignInCompleted', 'McpCredentialReplaced']);
    expect((await keeper.stored.read(serverId))?.grant.signInId).toBe(signInId);
  });

  it('for a reason that is inside is not told as failed either, and the reason goes to the log', async () => {
    const inside = new Error('inside');
    const { told, confirm } = await cameBack({ failing: { type: 'Complete', error: inside, times: 1 } });
    await expect(confirm()).rejects.toMatchObject({ code: 'sign_in_unrecorded', cause: inside });
    expect(await told).toMatchObject({ status: 'pending', reason: 'internal_error' });
  });

  it('is told as failed when it is over', async () => {
    const { services, origin, told, confirm } = await cameBack();
    services.secrets.get = async () => {
      await atServers({ type: 'Remove', serverId }, origin);
      return { url, token: null };
    };
    await expect(confirm()).rejects.toMatchObject({ code: 'server_removed', details: { server: 'club' } });
    expect(await told).toMatchObject({ status: 'failed', reason: 'server_removed' });
  });
});

describe('an account that is not in use any more when it was looked what the server offers', () => {
  it('because another sign-in went through is not said to be', async () => {
    const { told, confirm } = await cameBack({
      reach: async ({ origin }) => {
        await atSignIn({ type: 'Start', serverId, signInId: otherSignIn, issuer: tokenEndpoint.origin, client: 'registered', scopes: null }, origin);
        await atSignIn({ type: 'Complete', serverId, signInId: otherSignIn, signer: origin.actor, scopes: null, audience: 'everyone', renewable: false, expiresAt: null }, origin);
        return listed;
      },
    });
    expect(await confirm()).toMatchObject({ signedIn: false, usable: false, sentence: sentence('Another sign-in at club went through at the same time') });
    expect(await told).toMatchObject({ status: 'failed', reason: 'signed_in_elsewhere', found: null });
  });

  it('because it was signed out is not said to be', async () => {
    const { told, confirm } = await cameBack({
      reach: async ({ origin }) => {
        await atSignIn({ type: 'SignOut', serverId, reason: 'asked', revocation: 'revoked' }, origin);
        return { ok: false, class: 'needs_sign_in', message: 'It wants a sign-in.', retryAfterMs: null };
      },
    });
    expect(await confirm()).toMatchObject({ signedIn: false, sentence: sentence('it was signed out, or given a token, at the same time: the account is not used. `toolledger mcp history club`') });
    expect(await told).toMatchObject({ status: 'failed', reason: 'signed_out' });
  });

  it('because the server was removed is not said to be', async () => {
    const { told, confirm } = await cameBack({
      reach: async ({ origin }) => {
        await atServers({ type: 'Remove', serverId }, origin);
        return { ok: false, class: 'not_dialled', reason: 'server_removed', message: 'gone' };
      },
    });
    expect(await confirm()).toMatchObject({ signedIn: false, sentence: sentence('the server was removed at the same time') });
    expect(await told).toMatchObject({ status: 'failed', reason: 'server_removed' });
  });
});

describe('an answer for a workspace that is closed', () => {
  it('is refused before anything is exchanged, and ends the sign-in', async () => {
    const { origin, told, confirm, look } = await cameBack();
    await keeper.handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Close' }], origin);
    await expect(look()).rejects.toMatchObject({ code: 'workspace_closed' });
    expect(await typesOf()).not.toContain('McpSignInFailed');
    await expect(confirm()).rejects.toMatchObject({ code: 'workspace_closed' });
    expect(await told).toMatchObject({ status: 'failed', reason: 'workspace_closed' });
    expect(asked).toEqual([]);
    expect((await typesOf()).at(-1)).toBe('McpSignInFailed');
    // What is left of it says so as well.
    await expect(look()).rejects.toMatchObject({ code: 'workspace_closed' });
  });

  it('says why it has ended also when that could not be put on record, and the workspace is open again', async () => {
    const { origin, told, confirm, look } = await cameBack({ failing: { type: 'Fail', error: full, times: 1 } });
    await keeper.handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Close' }], origin);
    await expect(confirm()).rejects.toBe(full);
    expect(await told).toMatchObject({ status: 'failed', reason: 'workspace_closed' });
    await keeper.handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Open', kind: 'local' }], origin);
    await expect(look()).rejects.toMatchObject({ code: 'workspace_closed' });
  });
});
