import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OAuthRequest } from '../../support/oauth/servers/oauthRequest.js';
import { mcpServersDecider, mcpServersStream } from '../../../src/commands/mcpServers/mcpServers.js';
import { lapseGrant } from '../../../src/mcp/client/grants/lapseGrant.js';
import type { StoredGrant } from '../../../src/mcp/client/grants/storedGrant.js';
import { serverSecrets } from '../../../src/app/owner/servers/serverSecrets.js';
import { endStrayGrants } from '../../../src/operations/servers/signIn/signingOut/endStrayGrants.js';
import { systemOrigin } from '../../../src/commands/commandHandler.js';
import { Fault } from '../../../src/platform/fault.js';
import { systemResolve } from '../../../src/platform/net/guardedLookup.js';
import type { RemoteServer } from '../../../src/tools/remoteTools.js';
import { grantFor, openKeeper, type AccountKeeper } from '../../support/oauth/accountKeeper.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { countingIds, origin } from '../../support/handlerUnderTest.js';
import { never, patient } from '../../support/mcpClientUnderTest.js';

let authorization: AuthorizationServer;
let protectedServer: ProtectedMcpServer;
let directory: string;
let keeper: AccountKeeper;
const closers: (() => Promise<void>)[] = [];
const nextServerId = countingIds('b300');

beforeAll(async () => {
  authorization = await startAuthorizationServer();
  protectedServer = await startProtectedMcpServer(authorization);
});
afterAll(async () => {
  await protectedServer.stop();
  await authorization.stop();
});
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'grants-'));
  await authorization.set({ refreshTokens: 'always', rotation: true });
  authorization.intercept('token', null);
  authorization.intercept('revocation', null);
  protectedServer.behave({ refusesAll: false, challengedScope: 'tools' });
  keeper = keeping();
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  closers.length = 0;
  rmSync(directory, { recursive: true });
});

function keeping(options: Partial<Parameters<typeof openKeeper>[0]> = {}): AccountKeeper {
  const opened = openKeeper({ directory, ...options });
  closers.push(() => opened.close());
  return opened;
}

/** A server that somebody signed in to, with a connection that was made with the first token. */
async function signedIn(scopes: readonly string[] = ['tools'], change: (grant: StoredGrant) => StoredGrant = (grant) => grant): Promise<RemoteServer> {
  const server = await keeper.register(nextServerId(), protectedServer.url);
  await keeper.use(server, change(await grantFor(keeper, protectedServer.url, scopes)), scopes);
  return server;
}

/** The same, and its access token has expired while the connection was open. */
async function expired(...signingIn: Parameters<typeof signedIn>): Promise<RemoteServer> {
  const server = await signedIn(...signingIn);
  expect(await keeper.reach.reach(server, never)).toMatchObject({ ok: true });
  await authorization.expireAccessTokens();
  return server;
}

const isRefresh = ({ parameters }: OAuthRequest): boolean => parameters.get('grant_type') === 'refresh_token';
/** Counts refreshes from here on. */
function refreshes(): () => number {
  const before = authorization.requests('token').filter(isRefresh).length;
  return () => authorization.requests('token').filter(isRefresh).length - before;
}
/** Answers refreshes, and nothing else, in the authorization server's place. */
function answerRefreshes(answer: (times: number) => Promise<readonly [number, unknown]> | readonly [number, unknown]): void {
  let times = 0;
  authorization.intercept('token', (request, response) => {
    if (!isRefresh(request)) return false;
    times += 1;
    void Promise.resolve(answer(times)).then(([status, document]) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document)));
    return true;
  });
}

const drop = async ({ serverId }: RemoteServer): Promise<void> => {
  await keeper.stored.drop(serverId, (await keeper.stored.read(serverId))?.version ?? '');
};
const tokensOf = async ({ serverId }: RemoteServer, from = keeper) => (await from.stored.read(serverId))?.grant.tokens;
const typesOf = async (server: RemoteServer): Promise<readonly string[]> => (await keeper.onRecord(server)).map(({ type }) => type);
const recorded = async (server: RemoteServer, type: string) => (await keeper.onRecord(server)).filter((event) => event.type === type).map(({ data }) => data);
const parked = async (server: RemoteServer) => (await keeper.serverOf(server))?.connection.parked?.reason ?? null;
const streak = async (server: RemoteServer) => (await keeper.serverOf(server))?.connection.streak?.failures ?? null;
/** Two failures that counted, of which the time is over. */
async function failedTwice({ serverId }: RemoteServer): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    const { revision } = await keeper.handler.load(mcpServersDecider, mcpServersStream('local'));
    const failure = { class: 'unreachable', revision: revision ?? -1, asked: false, retryAfterMs: null, now: keeper.clock.now(), baseMs: 1 } as const;
    await keeper.handler.execute(mcpServersDecider, mcpServersStream('local'), [{ type: 'RecordFailure', serverId, ...failure }], origin);
    keeper.clock.time += 10;
  }
}
const answered = { kind: 'answered', isError: false };

describe('an expired token', () => {
  it('is renewed once for ten calls at the same time, and all of them succeed', async () => {
    const server = await expired();
    const before = await tokensOf(server);
    const counted = refreshes();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => keeper.remote.call(server, 'whoami', {}, patient)));
    for (const outcome of outcomes) expect(outcome).toMatchObject(answered);
    expect(counted()).toBe(1);
    expect(await recorded(server, 'McpTokenRefreshed')).toEqual([expect.objectContaining({ rotated: true })]);
    const after = await tokensOf(server);
    expect([after?.accessToken, after?.refreshToken]).not.toEqual([before?.accessToken, before?.refreshToken]);
    expect(protectedServer.tokensSeen().slice(-2)).toEqual([before?.accessToken, after?.accessToken]);
    expect(await parked(server)).toBeNull();
  });

  it('is renewed when connecting as well, at the token endpoint on record, for the resource on record', async () => {
    const server = await signedIn();
    await authorization.expireAccessTokens();
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
    expect(authorization.requests('token').at(-1)?.parameters.get('resource')).toBe(protectedServer.url);
  });

  it('is replaced by an answer that says no more than it must, and the refresh token stays where none comes', async () => {
    const server = await expired();
    const before = await tokensOf(server);
    answerRefreshes(() => [200, { access_token: 'never-good', token_type: 'Bearer' }]);
    expect(await keeper.call(server, 'whoami')).toMatchObject({ kind: 'rejected' });
    expect(await tokensOf(server)).toEqual({ accessToken: 'never-good', refreshToken: before?.refreshToken, expiresAt: null, scopes: ['tools'] });
    expect(await recorded(server, 'McpTokenRefreshed')).toEqual([expect.objectContaining({ rotated: false, expiresAt: null, scopes: null })]);
  });

  it('that is narrower than before is on record as such', async () => {
    const server = await expired();
    answerRefreshes(() => [200, { access_token: 'narrower', token_type: 'Bearer', scope: 'read' }]);
    await keeper.call(server, 'whoami');
    expect(await recorded(server, 'McpTokenRefreshed')).toEqual([expect.objectContaining({ scopes: ['read'] })]);
    expect((await keeper.signInState(server)).grant?.scopes).toEqual(['read']);
  });

  it('that another account object has replaced is not taken for a refusal of the new one', async () => {
    const server = await expired();
    // The connection was made with the first token; somebody else has got a second one, and that has expired too.
    const other = await keeper.grants.accountOf({ ...server, url: protectedServer.url });
    expect(await other?.renew(other.token() ?? '')).toBe('renewed');
    await authorization.expireAccessTokens();
    expect(await keeper.remote.call(server, 'whoami', {}, patient)).toMatchObject(answered);
    expect(await parked(server)).toBeNull();
    expect(await typesOf(server)).not.toContain('McpReauthorizationRequired');
  });
});

describe('two keepers of one vault', () => {
  it('renew once: who finds the lease taken waits and takes what the other got', async () => {
    const server = await signedIn();
    await keeper.reach.reach(server, never);
    let release = (): void => undefined;
    let first: Promise<unknown> = Promise.resolve();
    const other = keeping({ beside: keeper, onWait: async () => { release(); await first; } });
    await other.reach.reach(server, never);
    await authorization.expireAccessTokens();
    const counted = refreshes();
    const held = authorization.holdToken();
    release = held.release;
    first = keeper.remote.call(server, 'whoami', {}, patient);
    await held.made;
    expect(await other.call(server, 'whoami')).toMatchObject(answered);
    expect(await first).toMatchObject(answered);
    expect(counted()).toBe(1);
    expect(await tokensOf(server, other)).toEqual(await tokensOf(server));
  });

  it('go on when the one that had the lease has died, once the lease is over', async () => {
    const server = await expired();
    await keeper.vault.takeLease(`grant ${server.serverId}`, 'somebody who died', 30_000);
    const before = keeper.clock.time;
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
    expect(keeper.clock.time - before).toBe(30_000);
  });

  it('do not wait for ever: that is a failure of reaching, and nothing of the account is lost', async () => {
    const server = await signedIn();
    await authorization.expireAccessTokens();
    const other = keeping({ beside: keeper, onWait: () => keeper.vault.takeLease(`grant ${server.serverId}`, 'somebody who hangs', 30_000) });
    await keeper.vault.takeLease(`grant ${server.serverId}`, 'somebody who hangs', 30_000);
    expect(await other.call(server, 'whoami')).toMatchObject({ ok: false, class: 'authorization_unreachable' });
    expect([await parked(server), await streak(server)]).toEqual([null, 1]);
  });
});

describe('an answer of the token endpoint that was lost', () => {
  it('is asked for once more', async () => {
    await authorization.set({ rotation: false });
    const server = await expired();
    const counted = refreshes();
    const cut = authorization.cutToken();
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
    await cut;
    expect(counted()).toBe(2);
  });

  it('and lost again is a failure of reaching: counted, nothing parked, and the account as it was', async () => {
    await authorization.set({ rotation: false });
    const server = await signedIn();
    await authorization.expireAccessTokens();
    const before = await tokensOf(server);
    const counted = refreshes();
    const cuts = [authorization.cutToken(), authorization.cutToken()];
    expect(await keeper.call(server, 'whoami')).toMatchObject({ ok: false, class: 'authorization_unreachable', message: expect.stringContaining('had to be renewed') });
    await Promise.all(cuts);
    expect(counted()).toBe(2);
    expect([await parked(server), await streak(server)]).toEqual([null, 1]);
    expect(await tokensOf(server)).toEqual(before);
    keeper.clock.time += 300_000;
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
    expect(await streak(server)).toBeNull();
  });

  it('twice during a call is a call that was refused, not one of unknown outcome', async () => {
    await authorization.set({ rotation: false });
    const server = await expired();
    const cuts = [authorization.cutToken(), authorization.cutToken()];
    expect(await keeper.call(server, 'whoami')).toMatchObject({ kind: 'rejected', code: 'authorization_unreachable' });
    await Promise.all(cuts);
    expect(await parked(server)).toBeNull();
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
  });

  it('where every refresh rotates is the end of the account, which is said', async () => {
    const server = await signedIn();
    await authorization.expireAccessTokens();
    const cut = authorization.cutToken();
    expect(await keeper.call(server, 'whoami')).toMatchObject({ ok: false, class: 'needs_reauthorization', message: expect.stringContaining('Sign in again') });
    await cut;
    expect(await recorded(server, 'McpReauthorizationRequired')).toEqual([expect.objectContaining({ reason: 'invalid_grant', scopes: ['tools'] })]);
    expect(await parked(server)).toBe('needs_reauthorization');
  });
});

describe('an authorization server that is busy', () => {
  it.each([[429, { error: 'too_many_requests' }], [400, { error: 'temporarily_unavailable' }], [503, { error: 'server_error' }]])('and says so with HTTP %i ends nothing', async (status, document) => {
    const server = await signedIn();
    await authorization.expireAccessTokens();
    answerRefreshes(() => [status, document]);
    const counted = refreshes();
    expect(await keeper.call(server, 'whoami')).toMatchObject({ ok: false, class: 'authorization_unreachable' });
    expect(counted()).toBe(1);
    expect([await parked(server), await streak(server)]).toEqual([null, 1]);
  });
});

describe('an authorization server whose answer is too large', () => {
  it('is asked once more, because that may have been lost on the way, and ends nothing', async () => {
    const server = await signedIn();
    await authorization.expireAccessTokens();
    answerRefreshes(() => [200, { access_token: 'at', token_type: 'Bearer', filler: 'x'.repeat(2_000_000) }]);
    const counted = refreshes();
    expect(await keeper.call(server, 'whoami')).toMatchObject({ ok: false, class: 'authorization_unreachable' });
    expect([counted(), await parked(server)]).toEqual([2, null]);
  });
});

describe('a refusal of what is not there any more', () => {
  /** Somebody else signs in. */
  async function anotherSignsIn(server: RemoteServer): Promise<string> {
    const another = await grantFor(keeper, protectedServer.url, ['admin', 'tools']);
    await keeper.use(server, another, ['admin', 'tools']);
    return another.tokens.accessToken;
  }

  /** The call was let in with one account: it must not run with the other, which may be meant for other people. */
  async function expectReplaced(server: RemoteServer, call: Promise<unknown>, another: string): Promise<void> {
    expect(await call).toMatchObject({ kind: 'rejected', code: 'account_replaced', message: expect.stringContaining('did nothing; try again') });
    expect(protectedServer.tokensSeen()).not.toContain(another);
    expect(await parked(server)).toBeNull();
    expect(await typesOf(server)).not.toContain('McpReauthorizationRequired');
    expect(await keeper.call(server, 'admin')).toMatchObject(answered);
    expect(protectedServer.tokensSeen().at(-1)).toBe(another);
  }

  it('marks nothing when somebody else has signed in while the token was to be renewed, and does not go on with their account', async () => {
    const server = await expired();
    let another = '';
    answerRefreshes(async () => {
      authorization.intercept('token', null);
      another = await anotherSignsIn(server);
      return [400, { error: 'invalid_grant' }];
    });
    const call = keeper.remote.call(server, 'whoami', {}, patient);
    await call;
    await expectReplaced(server, call, another);
  });

  it.each([['of the token', 'whoami', () => authorization.expireAccessTokens()], ['of its scopes', 'admin', async () => undefined]])('marks nothing when it is %s and came late, and does not go on with the account that is there', async (_what, tool, worsen) => {
    const server = await signedIn(['tools']);
    await keeper.reach.reach(server, never);
    await worsen();
    const refusal = protectedServer.holdRefusal();
    const call = keeper.remote.call(server, tool, {}, patient);
    await refusal.made;
    const another = await anotherSignsIn(server);
    refusal.release();
    await expectReplaced(server, call, another);
  });

  it('marks nothing when somebody signed out meanwhile, and what the renewal brings is revoked', async () => {
    const server = await expired();
    const held = authorization.holdToken();
    const call = keeper.remote.call(server, 'whoami', {}, patient);
    await held.made;
    await drop(server);
    const before = authorization.requests('revocation').length;
    held.release();
    expect(await call).toMatchObject({ kind: 'rejected', code: 'needs_reauthorization' });
    expect(authorization.requests('revocation').length - before).toBe(2);
    expect(await recorded(server, 'McpTokensGivenUp')).toEqual([expect.objectContaining({ reason: 'came_late', revocation: 'revoked' })]);
    expect(await keeper.stored.read(server.serverId)).toBeNull();
    expect(await typesOf(server)).not.toContain('McpReauthorizationRequired');
  });
});

describe('a sign-in that completes while another account is found to be over', () => {
  it('is not marked by it, neither when it was there before nor when it comes in between', async () => {
    const server = await signedIn();
    const older = (await keeper.stored.read(server.serverId))?.grant.signInId ?? '';
    const again = async (): Promise<void> => keeper.use(server, await grantFor(keeper, protectedServer.url, ['tools']), ['tools']);
    const overtaken: typeof keeper.handler = {
      ...keeper.handler,
      load: async (...what) => {
        const before = await keeper.handler.load(...what);
        await again();
        return before;
      },
    };
    await lapseGrant({ handler: overtaken, clock: keeper.clock }, server, { signInId: older, reason: 'invalid_grant', scopes: [] });
    await lapseGrant(keeper, server, { signInId: older, reason: 'invalid_grant', scopes: [] });
    expect(await parked(server)).toBeNull();
    expect(await typesOf(server)).not.toContain('McpReauthorizationRequired');
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
  });
});

describe('an account that cannot be used any more', () => {
  type Case = readonly [string, string, () => Promise<RemoteServer>];
  const cases: readonly Case[] = [
    ['the server refuses the renewed token as well', 'refused_again', async () => {
      const server = await signedIn();
      protectedServer.behave({ refusesAll: true });
      return server;
    }],
    ['there is nothing to renew it with', 'no_refresh_token', async () => {
      await authorization.set({ refreshTokens: 'never' });
      const server = await signedIn();
      await authorization.expireAccessTokens();
      return server;
    }],
    ['its grant was taken back', 'invalid_grant', async () => {
      const server = await signedIn();
      await authorization.revokeGrants();
      return server;
    }],
    ['the authorization server forgot us', 'invalid_client', async () => {
      const server = await signedIn();
      await authorization.forgetClients();
      await authorization.expireAccessTokens();
      return server;
    }],
    ['its token endpoint lies where nothing may be reached', 'blocked_address', async () => {
      await keeper.close();
      closers.pop();
      keeper = keeping({ resolve: async (name) => (name === 'tokens.example' ? [{ address: '10.0.0.1', family: 4 }] : systemResolve(name)) });
      const server = await signedIn(['tools'], (grant) => ({ ...grant, server: { ...grant.server, tokenEndpoint: 'https://tokens.example/token' } }));
      await authorization.expireAccessTokens();
      return server;
    }],
    ['its token endpoint answers with a redirect', 'token_refused', async () => {
      const server = await signedIn();
      await authorization.expireAccessTokens();
      authorization.intercept('token', (_request, response) => {
        response.writeHead(307, { location: `${authorization.issuer}/elsewhere` }).end();
        return true;
      });
      return server;
    }],
  ];

  it.each(cases)('because %s parks the server when connecting, beside an existing streak', async (_what, reason, prepare) => {
    const server = await prepare();
    await failedTwice(server);
    expect(await keeper.call(server, 'whoami')).toMatchObject({ ok: false, class: 'needs_reauthorization' });
    expect(await recorded(server, 'McpReauthorizationRequired')).toEqual([expect.objectContaining({ reason })]);
    expect([await parked(server), await streak(server)]).toEqual(['needs_reauthorization', 2]);
    expect((await typesOf(server)).filter((type) => type === 'McpServerParked')).toHaveLength(1);
    // Nothing more is sent.
    const before = [protectedServer.requests.length, authorization.requests('token').length];
    expect(await keeper.call(server, 'whoami')).toMatchObject({ ok: false, class: 'not_dialled', reason: 'server_needs_reauthorization' });
    expect([protectedServer.requests.length, authorization.requests('token').length]).toEqual(before);
  });

  it('parks it during a call too: one refresh, one retry', async () => {
    const server = await expired();
    protectedServer.behave({ refusesAll: true });
    const counted = refreshes();
    const before = protectedServer.requests.length;
    expect(await keeper.remote.call(server, 'whoami', {}, patient)).toMatchObject({ kind: 'rejected', code: 'needs_reauthorization' });
    expect([counted(), protectedServer.requests.filter(({ method }, index) => index >= before && method === 'tools/call').length]).toEqual([1, 2]);
    expect([await parked(server), await streak(server)]).toEqual(['needs_reauthorization', null]);
  });

  it('is told once, however many calls find out', async () => {
    const server = await expired();
    protectedServer.behave({ refusesAll: true });
    await Promise.all(Array.from({ length: 5 }, () => keeper.remote.call(server, 'whoami', {}, patient)));
    expect((await typesOf(server)).filter((type) => type === 'McpReauthorizationRequired' || type === 'McpServerParked')).toHaveLength(2);
  });

  it('is not used when it is not the one on record, as after a restore, and is revoked and forgotten', async () => {
    const [unknown, other] = [await keeper.register(nextServerId(), protectedServer.url), await signedIn()];
    await drop(other);
    for (const { serverId } of [unknown, other]) await keeper.stored.swap(serverId, await grantFor(keeper, protectedServer.url, ['tools']), null);
    const before = protectedServer.tokensSeen().length;
    expect(await keeper.call(unknown, 'whoami')).toMatchObject({ ok: false, class: 'needs_sign_in' });
    expect(await keeper.call(other, 'whoami')).toMatchObject({ ok: false, class: 'needs_reauthorization' });
    expect(protectedServer.tokensSeen()).toHaveLength(before);
    const good = await signedIn();
    const revoked = authorization.requests('revocation').length;
    keeper.urls.delete(unknown.serverId);
    await keeper.grants.endUnrecorded(never);
    expect(authorization.requests('revocation').length - revoked).toBe(2);
    expect(await recorded(other, 'McpTokensGivenUp')).toEqual([expect.objectContaining({ reason: 'left_over', revocation: 'revoked' })]);
    // Nobody knows any more which origin its authorization server may be asked from.
    expect(await recorded(unknown, 'McpTokensGivenUp')).toEqual([expect.objectContaining({ reason: 'left_over', revocation: 'failed' })]);
    expect(await Promise.all([unknown, other].map(({ serverId }) => keeper.stored.read(serverId)))).toEqual([null, null]);
    expect(await keeper.call(good, 'whoami')).toMatchObject({ kind: 'answered' });
  });

  it('is looked at again after a day, with all that can be tried', async () => {
    const server = await expired();
    protectedServer.behave({ refusesAll: true });
    await keeper.remote.call(server, 'whoami', {}, patient);
    protectedServer.behave({ refusesAll: false });
    keeper.clock.time += 86_400_000;
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
    expect(await parked(server)).toBeNull();
  });
});

describe('a scope that is missing', () => {
  it('during a call parks the server, and the next sign-in asks for both', async () => {
    const server = await signedIn();
    await failedTwice(server);
    await keeper.reach.reach(server, never);
    await failedTwice(server);
    const counted = refreshes();
    expect(await keeper.remote.call(server, 'admin', {}, patient)).toMatchObject({ kind: 'rejected', code: 'needs_reauthorization', message: expect.stringMatching(/lacks scopes: “admin”\. .+mcp sign-in.+mcp tool off/) });
    expect(counted()).toBe(0);
    expect([await parked(server), await streak(server)]).toEqual(['needs_reauthorization', 2]);
    expect((await keeper.signInState(server)).wanted).toEqual(['admin', 'tools']);
  });

  it.each(['Bearer', 'Bearer error="invalid_token"', 'Basic realm="x"'])('is not what %s with HTTP 403 says: the call has failed, and nothing ends', async (challenge) => {
    const server = await signedIn();
    await keeper.reach.reach(server, never);
    protectedServer.behave({ challenge });
    expect(await keeper.remote.call(server, 'admin', {}, patient)).toMatchObject({ kind: 'rejected' });
    protectedServer.behave({ challenge: null });
    expect([await parked(server), await recorded(server, 'McpReauthorizationRequired')]).toEqual([null, []]);
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
  });

  it('when connecting as well', async () => {
    const server = await signedIn(['admin']);
    expect(await keeper.call(server, 'admin')).toMatchObject({ ok: false, class: 'needs_reauthorization' });
    expect([await parked(server), await streak(server)]).toEqual(['needs_reauthorization', null]);
    expect((await keeper.signInState(server)).wanted).toEqual(['tools', 'admin']);
  });
});

describe('an account whose signer was erased', () => {
  it('is not used, neither for a new connection nor over one that is open', async () => {
    const [open, closed] = [await signedIn(), await signedIn()];
    await keeper.reach.reach(open, never);
    await keeper.vault.destroySubjects([await keeper.signer()]);
    const before = protectedServer.requests.length;
    expect(await keeper.remote.call(open, 'whoami', {}, patient)).toMatchObject({ kind: 'notSent', class: 'needs_reauthorization' });
    expect(await keeper.call(closed, 'whoami')).toMatchObject({ ok: false, class: 'needs_reauthorization' });
    expect(protectedServer.requests).toHaveLength(before);
    for (const server of [open, closed]) {
      expect(await parked(server)).toBe('needs_reauthorization');
      expect(await recorded(server, 'McpReauthorizationRequired')).toEqual([expect.objectContaining({ reason: 'signer_erased' })]);
    }
  });
});

describe('while a token is renewed', () => {
  /** A call that waits for an answer of the token endpoint. */
  async function renewing(server: RemoteServer) {
    const held = authorization.holdToken();
    const call = keeper.call(server, 'whoami');
    await held.made;
    return { held, call };
  }

  it('the program may stop: what the renewal brings is in the vault before that closes', async () => {
    const server = await expired();
    const { held, call } = await renewing(server);
    const before = await tokensOf(server);
    await keeper.remote.close();
    expect(await call).toMatchObject({ kind: 'unknown' });
    const closing = keeper.grants.close();
    held.release();
    await closing;
    expect((await tokensOf(server))?.refreshToken).not.toBe(before?.refreshToken);
    expect(await typesOf(server)).toContain('McpTokenRefreshed');
  });

  it('the server may be disconnected: its next connection has the new token', async () => {
    const server = await expired();
    const { held, call } = await renewing(server);
    const account = await keeper.grants.accountOf({ ...server, url: protectedServer.url });
    await keeper.remote.disconnect(server.serverId);
    held.release();
    expect(await call).toMatchObject(answered);
    expect(account?.token()).not.toBe((await tokensOf(server))?.accessToken);
    const counted = refreshes();
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
    expect(counted()).toBe(0);
  });

  it('a connection may give up: that is a failure of reaching, and the next one has the new token', async () => {
    const server = await signedIn();
    await authorization.expireAccessTokens();
    const hasty = keeping({ beside: keeper, tight: { connectMs: 100 } });
    const held = authorization.holdToken();
    expect(await hasty.reach.reach(server, never)).toMatchObject({ ok: false, class: 'timeout' });
    held.release();
    await hasty.grants.close();
    expect([await parked(server), await streak(server)]).toEqual([null, 1]);
    const counted = refreshes();
    keeper.clock.time += 300_000;
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
    expect(counted()).toBe(0);
  });

  it('somebody may sign out: that waits, and revokes what the renewal brought', async () => {
    const server = await expired();
    const held = authorization.holdToken();
    const ending = keeping({ beside: keeper, onWait: () => held.release() });
    const call = keeper.call(server, 'whoami');
    await held.made;
    const before = await tokensOf(server);
    expect(await ending.end({ ...server, url: protectedServer.url }, 'asked', origin)).toBe('revoked');
    await call;
    const revoked = authorization.requests('revocation').slice(-2).map(({ parameters }) => parameters.get('token'));
    expect(revoked).not.toContain(before?.refreshToken);
    expect(await keeper.stored.read(server.serverId)).toBeNull();
    expect((await typesOf(server)).slice(-2)).toEqual(['McpTokenRefreshed', 'McpSignedOut']);
    for (const token of revoked) expect(await authorization.introspect(token ?? '')).toBeNull();
  });
});

describe('the end of a connection', () => {
  it('renews nothing and ends nothing, whatever the server answers to the last words', async () => {
    const server = await expired();
    const counted = refreshes();
    await keeper.remote.disconnect(server.serverId);
    await keeper.remote.close();
    expect(protectedServer.requests.at(-1)?.httpMethod).toBe('DELETE');
    expect(counted()).toBe(0);
    expect(await parked(server)).toBeNull();
  });
});

describe('trouble of our own', () => {
  it('after the vault has the new token is no refusal by anybody: the next call goes on with it', async () => {
    const server = await signedIn();
    let fails = false;
    const append: typeof keeper.ledger.append = async (...all) => (fails ? Promise.reject(new Error('The ledger cannot be written.')) : keeper.ledger.append(...all));
    const troubled = keeping({ beside: { ...keeper, ledger: { ...keeper.ledger, append } } });
    await troubled.reach.reach(server, never);
    await authorization.expireAccessTokens();
    const counted = refreshes();
    fails = true;
    expect(await troubled.remote.call(server, 'whoami', {}, patient)).toMatchObject({ kind: 'rejected', code: 'authorization_unreachable', message: expect.stringContaining('on this side') });
    fails = false;
    expect(await troubled.call(server, 'whoami')).toMatchObject(answered);
    expect(counted()).toBe(1);
    expect(await parked(server)).toBeNull();
  });

  it('with the vault when the renewed tokens came loses nothing: they are kept in mind until it takes them', async () => {
    const server = await signedIn();
    let fails = true;
    const swap: typeof keeper.stored.swap = async (...all) => (fails ? Promise.reject(new Fault('failed', 'keys_not_written', 'The disk is full.')) : keeper.stored.swap(...all));
    const troubled = keeping({ beside: keeper, stored: { ...keeper.stored, swap } });
    await authorization.expireAccessTokens();
    const counted = refreshes();
    for (let time = 0; time < 2; time += 1) expect(await troubled.reach.reach(server, never, origin)).toMatchObject({ ok: false, class: 'authorization_unreachable', message: expect.stringContaining('The disk is full.') });
    fails = false;
    expect(await troubled.call(server, 'whoami')).toMatchObject(answered);
    expect([counted(), await parked(server)]).toEqual([1, null]);
    expect((await typesOf(server)).filter((type) => type === 'McpTokenRefreshed')).toHaveLength(1);
  });

  it.each([['takes them at last, has them', false], ['does not take them when the program stops, are revoked', true]])('with the vault, when it %s', async (_what, fails) => {
    const server = await signedIn();
    let failing = true;
    const swap: typeof keeper.stored.swap = async (...all) => (failing ? Promise.reject(new Fault('failed', 'keys_not_written', 'The disk is full.')) : keeper.stored.swap(...all));
    const troubled = keeping({ beside: keeper, stored: { ...keeper.stored, swap } });
    const before = await tokensOf(server);
    await authorization.expireAccessTokens();
    await troubled.call(server, 'whoami');
    failing = fails;
    const revoked = authorization.requests('revocation').length;
    await troubled.grants.close();
    expect(authorization.requests('revocation').length - revoked).toBe(fails ? 2 : 0);
    expect(await recorded(server, 'McpTokensGivenUp')).toEqual(fails ? [expect.objectContaining({ reason: 'not_kept', revocation: 'revoked' })] : []);
    expect((await tokensOf(server))?.refreshToken === before?.refreshToken).toBe(fails);
  });

  it('with the vault keeps the account as it was, and asks nobody', async () => {
    const server = await expired();
    const before = await tokensOf(server);
    const troubled = keeping({ beside: keeper, lease: () => Promise.reject(new Fault('failed', 'keys_not_written', 'The disk is full.')) });
    const counted = refreshes();
    expect(await troubled.call(server, 'whoami')).toMatchObject({ ok: false, class: 'authorization_unreachable', message: expect.stringContaining('The disk is full.') });
    expect([counted(), await tokensOf(server), await parked(server)]).toEqual([0, before, null]);
  });
});

describe('an account whose end takes long', () => {
  /** The authorization server does not answer a revocation until it is let go. */
  function holdRevocation() {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const asked = new Promise<void>((resolve) => {
      authorization.intercept('revocation', (_request, response) => {
        resolve();
        void released.then(() => response.writeHead(503).end());
        return true;
      });
    });
    return { asked, release };
  }

  const ends: readonly (readonly [string, (server: RemoteServer) => Promise<unknown>])[] = [
    ['of the ledger knows nothing', async (server) => {
      await keeper.vault.putSecret(server.serverId, 'url', protectedServer.url);
      await drop(server);
      await keeper.stored.swap(server.serverId, await grantFor(keeper, protectedServer.url, ['tools']), null);
      return () => keeper.grants.endUnrecorded(never);
    }],
    ['whose signer was erased', async () => {
      await keeper.vault.destroySubjects([await keeper.signer()]);
      return () => keeper.grants.suspendErased();
    }],
    ['that an admin signed out of', async (server) => () => keeper.end({ ...server, url: protectedServer.url }, 'asked', origin)],
  ];

  it.each(ends)('%s takes nothing from who signs in meanwhile, who waits', async (_what, prepare) => {
    const server = await signedIn();
    const end = (await prepare(server)) as () => Promise<unknown>;
    const { asked, release } = holdRevocation();
    const ending = end();
    await asked;
    const another = { ...(await grantFor(keeper, protectedServer.url, ['tools'])), signer: await keeper.vault.subjectFor({ kind: 'discord', id: '2' }) };
    const using = keeper.grants.alone(server.serverId, () => keeper.use(server, another, ['tools']));
    release();
    await Promise.all([ending, using]);
    expect((await keeper.stored.read(server.serverId))?.grant.signInId).toBe(another.signInId);
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
  });

  it('of an erased person is the end of what a renewal brought meanwhile, too', async () => {
    const server = await expired();
    const held = authorization.holdToken();
    const call = keeper.remote.call(server, 'whoami', {}, patient);
    await held.made;
    await keeper.vault.destroySubjects([await keeper.signer()]);
    await keeper.vault.putSecret(server.serverId, 'url', protectedServer.url);
    const suspending = keeper.grants.suspendErased();
    held.release();
    expect(await suspending).toEqual([server.serverId]);
    await call;
    const revoked = authorization.requests('revocation').slice(-2).map(({ parameters }) => parameters.get('token'));
    for (const token of revoked) expect(await authorization.introspect(token ?? '')).toBeNull();
    expect(protectedServer.tokensSeen()).not.toContain(revoked.at(-1));
    expect(await recorded(server, 'McpTokensGivenUp')).toEqual([expect.objectContaining({ reason: 'signer_erased', revocation: 'revoked' })]);
    expect(await keeper.stored.read(server.serverId)).toBeNull();
  });

  it('is given up when the program stops, and done by the next start', async () => {
    const server = await signedIn();
    await keeper.vault.putSecret(server.serverId, 'url', protectedServer.url);
    await drop(server);
    await keeper.stored.swap(server.serverId, await grantFor(keeper, protectedServer.url, ['tools']), null);
    const { asked } = holdRevocation();
    const stop = new AbortController();
    const ending = keeper.grants.endUnrecorded(stop.signal);
    await asked;
    stop.abort();
    await ending;
    expect(await keeper.stored.read(server.serverId)).not.toBeNull();
    expect(await recorded(server, 'McpTokensGivenUp')).toEqual([]);
    authorization.intercept('revocation', null);
    await keeper.grants.endUnrecorded(never);
    expect(await keeper.stored.read(server.serverId)).toBeNull();
    expect(await recorded(server, 'McpTokensGivenUp')).toEqual([expect.objectContaining({ revocation: 'revoked' })]);
  });
});

describe('a lease', () => {
  it('is prolonged while who has it works, and given back', async () => {
    const server = await signedIn();
    const planned: (() => void)[] = [];
    const slow = keeping({ beside: keeper, schedule: (_ms, run) => (planned.push(run), () => void planned.splice(0)) });
    const take = (): Promise<boolean> => keeper.vault.takeLease(`grant ${server.serverId}`, 'another', 30_000);
    await slow.grants.alone(server.serverId, async () => {
      for (let time = 0; time < 5; time += 1) {
        keeper.clock.time += 20_000;
        planned.shift()?.();
        expect(await take()).toBe(false);
      }
    });
    expect([planned, await take()]).toEqual([[], true]);
  });

  it('is not needed among those of one process: they take turns, however long it is', async () => {
    const server = await signedIn();
    const order: string[] = [];
    const turn = (name: string) => keeper.grants.alone(server.serverId, async () => {
      order.push(`${name} begins`);
      keeper.clock.time += 600_000;
      await keeper.signer();
      order.push(`${name} ends`);
    });
    await Promise.all([turn('one'), turn('two'), turn('three')]);
    expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends']);
  });

  it('of one whose work fails is given to the next', async () => {
    const server = await signedIn();
    await expect(keeper.grants.alone(server.serverId, async () => Promise.reject(new Error('it did not work')))).rejects.toThrow('it did not work');
    expect(await keeper.grants.alone(server.serverId, async () => 'done')).toBe('done');
  });
});

describe('an account whose tokens are gone', () => {
  it('as after the keys were put back from an older backup, waits for a sign-in, and nothing is sent', async () => {
    const server = await signedIn();
    await drop(server);
    const before = protectedServer.requests.length;
    expect(await keeper.call(server, 'whoami')).toMatchObject({ ok: false, class: 'needs_reauthorization' });
    expect(protectedServer.requests).toHaveLength(before);
    expect(await recorded(server, 'McpReauthorizationRequired')).toEqual([expect.objectContaining({ reason: 'tokens_missing' })]);
    expect(await parked(server)).toBe('needs_reauthorization');
  });

  it('only because it is just being put to use is waited for', async () => {
    const server = await signedIn();
    const grant = (await keeper.stored.read(server.serverId))?.grant;
    if (grant === undefined) throw new Error('nobody signed in');
    await drop(server);
    const using = keeper.grants.alone(server.serverId, async () => {
      await keeper.signer();
      await keeper.stored.swap(server.serverId, grant, null);
    });
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
    await using;
    expect(await typesOf(server)).not.toContain('McpReauthorizationRequired');
  });
});

describe('an account that is ended', () => {
  it('is gone and on record although the authorization server takes no revocation now', async () => {
    const server = await signedIn();
    authorization.intercept('revocation', (_request, response) => {
      response.writeHead(503).end();
      return true;
    });
    expect(await keeper.end({ ...server, url: protectedServer.url }, 'asked', origin)).toBe('failed');
    expect(await keeper.stored.read(server.serverId)).toBeNull();
    expect(await recorded(server, 'McpSignedOut')).toEqual([expect.objectContaining({ reason: 'asked', revocation: 'failed' })]);
    expect(await keeper.end({ ...server, url: protectedServer.url }, 'asked', origin)).toBeNull();
  });

  it('is on record also when it was signed out before, and the process died before it could forget', async () => {
    const server = await signedIn();
    const left = (await keeper.stored.read(server.serverId))?.grant;
    await keeper.end({ ...server, url: protectedServer.url }, 'asked', origin);
    if (left !== undefined) await keeper.stored.swap(server.serverId, left, null);
    expect(await keeper.end({ ...server, url: protectedServer.url }, 'removed', origin)).toBe('revoked');
    expect(await recorded(server, 'McpSignedOut')).toHaveLength(1);
    expect(await recorded(server, 'McpTokensGivenUp')).toEqual([{ serverId: server.serverId, signInId: left?.signInId, reason: 'removed', revocation: 'revoked' }]);
  });

  it('is on record also when the process died after the vault had forgotten it', async () => {
    const server = await signedIn();
    await drop(server);
    expect(await keeper.end({ ...server, url: protectedServer.url }, 'asked', systemOrigin('local'))).toBe('failed');
    expect(await recorded(server, 'McpSignedOut')).toHaveLength(1);
  });

  it('is ended when the process had died after its server was removed', async () => {
    const [gone, stays] = [await signedIn(), await signedIn()];
    const secrets = serverSecrets(keeper.vault);
    for (const { serverId } of [gone, stays]) await keeper.vault.putSecret(serverId, 'url', protectedServer.url);
    await keeper.handler.execute(mcpServersDecider, mcpServersStream('local'), [{ type: 'Remove', serverId: gone.serverId }], origin);
    const token = (await tokensOf(gone))?.accessToken ?? '';
    await endStrayGrants({ handler: keeper.handler, secrets, signIns: keeper }, never);
    expect([await keeper.stored.read(gone.serverId), await secrets.get(gone.serverId)]).toEqual([null, null]);
    expect(await recorded(gone, 'McpSignedOut')).toEqual([expect.objectContaining({ reason: 'removed', revocation: 'revoked' })]);
    expect(await authorization.introspect(token)).toBeNull();
    expect(await keeper.call(stays, 'whoami')).toMatchObject(answered);
  });

  it('stays as it is while another process hangs that has the lease', async () => {
    const server = await signedIn();
    const ending = keeping({ beside: keeper, onWait: () => keeper.vault.takeLease(`grant ${server.serverId}`, 'somebody who hangs', 30_000) });
    await keeper.vault.takeLease(`grant ${server.serverId}`, 'somebody who hangs', 30_000);
    await expect(ending.end({ ...server, url: protectedServer.url }, 'removed', origin)).rejects.toMatchObject({ code: 'account_busy' });
    expect(await keeper.call(server, 'whoami')).toMatchObject(answered);
  });
});
