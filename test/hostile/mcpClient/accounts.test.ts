import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemOrigin } from '../../../src/commands/commandHandler.js';
import type { AuthorizationServer } from '../../../src/mcp/client/authorization/discovery/authorizationServer.js';
import type { RemoteServer } from '../../../src/tools/remoteTools.js';
import { legacySse } from '../../support/hostile/legacySse.js';
import { countingIds } from '../../support/handlerUnderTest.js';
import { goodResult, plainTool, reply, replyResult, startHostileMcpServer, type Behaviour, type HostileMcpServer, type Incoming } from '../../support/hostileMcpServer.js';
import { never, patient } from '../../support/mcpClientUnderTest.js';
import { nextSignInId, openKeeper, type AccountKeeper } from '../../support/oauth/accountKeeper.js';
import { startLocalServer, type LocalServer } from '../../support/oauth/servers/localServer.js';

/** Tokens look like nothing in particular: only that they are known keeps them out of what is shown. */
const tokens = ['first.mellow-harbour', 'second.narrow-lantern', 'third.quiet-orchard', 'fourth.yellow-meadow'] as const;
const refreshToken = 'renewing.copper-valley';

let directory: string;
let keeper: AccountKeeper;
let hostile: HostileMcpServer;
let tokenServer: LocalServer;
let server: RemoteServer;
/** How many tokens were given out for the first one. */
let given: number;
/** What is given out. */
let issue: (times: number) => string | undefined;
const nextServerId = countingIds('b400');

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'accounts-'));
  hostile = await startHostileMcpServer();
  given = 0;
  issue = (times) => tokens[times];
  tokenServer = await startLocalServer((_request, response) => {
    given += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ access_token: issue(given), token_type: 'Bearer' }));
  });
  keeper = openKeeper({ directory });
  server = await keeper.register(nextServerId(), hostile.url);
  const client = { clientId: 'us', clientSecret: null, authMethod: 'none', source: 'given', redirectUri: 'http://127.0.0.1/', scopes: [], secretExpiresAt: null } as const;
  const issued = { accessToken: tokens[0], refreshToken, expiresAt: null, scopes: null };
  await keeper.use(server, { signInId: nextSignInId(), signer: await keeper.signer(), workspace: 'local', resource: hostile.url, server: endpoints(), client, tokens: issued }, ['tools']);
});
afterEach(async () => {
  await keeper.close();
  await hostile.stop();
  await tokenServer.stop();
  rmSync(directory, { recursive: true });
});

function endpoints(): AuthorizationServer {
  const { origin } = tokenServer;
  return { issuer: origin, authorizationEndpoint: origin, tokenEndpoint: `${origin}/token`, registrationEndpoint: null, revocationEndpoint: null, issParameter: false, metadataDocuments: false, tokenAuthMethods: null, scopes: null };
}

const bearer = ({ headers }: Incoming): string => (headers.authorization ?? '').replace('Bearer ', '');
/** Refuses the first tokens, so many of them; of some methods only. */
function refusing(so: number, then: Behaviour = () => false, only?: string): Behaviour {
  return (message, response) => {
    if ((tokens as readonly string[]).indexOf(bearer(message)) < so && (only === undefined || message.method === only)) return reply(response, '', 401, { 'www-authenticate': 'Bearer error="invalid_token"' });
    return then(message, response);
  };
}
const sentFor = (method: string): readonly string[] => hostile.seen.filter((message) => message.method === method).map(bearer);
async function replaceToken(accessToken: string): Promise<void> {
  const found = await keeper.stored.read(server.serverId);
  if (found !== null) await keeper.stored.swap(server.serverId, { ...found.grant, tokens: { ...found.grant.tokens, accessToken } }, found.version);
}
const parked = async () => (await keeper.serverOf(server))?.connection.parked?.reason ?? null;
const types = async (): Promise<readonly string[]> => (await keeper.onRecord(server)).map(({ type }) => type);

describe('a token that was renewed', () => {
  it('lies in the vault, and is on record, before anything is sent with it', async () => {
    const whenSent: Promise<unknown>[] = [];
    hostile.behave(
      refusing(1, (message) => {
        whenSent.push(keeper.stored.read(server.serverId), types());
        return message.httpMethod === 'DELETE';
      }),
    );
    await keeper.reach.reach(server, never);
    expect(await whenSent[0]).toMatchObject({ grant: { tokens: { accessToken: tokens[1], refreshToken } } });
    expect(await whenSent[1]).toContain('McpTokenRefreshed');
  });

  it('may have 16 KiB and no more', async () => {
    hostile.behave(refusing(1));
    issue = (times) => 'x'.repeat(16_384 + times - 1);
    await keeper.reach.reach(server, never);
    expect((await keeper.stored.read(server.serverId))?.grant.tokens.accessToken).toHaveLength(16_384);
    await replaceToken(tokens[0]);
    expect(await keeper.reach.reach(server, never, systemOrigin('local'))).toMatchObject({ ok: false, class: 'needs_reauthorization' });
    expect((await keeper.onRecord(server)).filter(({ type }) => type === 'McpReauthorizationRequired').map(({ data }) => data['reason'])).toEqual(['token_unusable']);
  });

  it('is used for what is no request as well', async () => {
    hostile.behave(refusing(1, undefined, 'notifications/initialized'));
    expect(await keeper.call(server, 'plain')).toMatchObject({ kind: 'answered' });
    expect(sentFor('notifications/initialized')).toEqual([tokens[0], tokens[1]]);
    expect(given).toBe(1);
  });

  it('and refused for what is no request ends the account too', async () => {
    hostile.behave(refusing(2, undefined, 'notifications/initialized'));
    expect(await keeper.reach.reach(server, never)).toMatchObject({ ok: false, class: 'needs_reauthorization' });
    expect([await parked(), given]).toEqual(['needs_reauthorization', 1]);
  });

  it('works over the transport of 2024-11-05, for the stream and for what is posted', async () => {
    const legacy = legacySse();
    // The stream is opened with the second token, which expires while it lasts.
    let so = 1;
    hostile.behave((message, response) => (message.httpMethod === 'GET' || message.path !== new URL(hostile.url).pathname ? refusing(so, legacy)(message, response) : legacy(message, response)));
    expect(await keeper.call(server, 'plain')).toMatchObject({ kind: 'answered' });
    expect(hostile.seen.filter(({ httpMethod }) => httpMethod === 'GET').map(bearer)).toEqual([tokens[0], tokens[1]]);
    so = 2;
    expect(await keeper.call(server, 'plain')).toMatchObject({ kind: 'answered' });
    expect(sentFor('tools/call')).toEqual([tokens[1], tokens[1], tokens[2]]);
    expect(hostile.seen.filter(({ httpMethod }) => httpMethod === 'GET')).toHaveLength(2);
    expect(await parked()).toBeNull();
  });

  it('is missed over that transport in the same words: nobody answered, or the account is over', async () => {
    const legacy = legacySse();
    hostile.behave((message, response) => (message.httpMethod === 'GET' ? refusing(9, legacy)(message, response) : legacy(message, response)));
    issue = () => 'no token\n';
    expect(await keeper.reach.reach(server, never)).toMatchObject({ ok: false, class: 'needs_reauthorization' });
    expect(await parked()).toBe('needs_reauthorization');
    await tokenServer.stop();
    expect(await keeper.reach.reach(server, never, systemOrigin('local'))).toMatchObject({ ok: false, class: 'authorization_unreachable' });
    tokenServer = await startLocalServer((_request, response) => response.end());
  });

  it('is not judged by the refusal of an older one that came late', async () => {
    let so = 0;
    const late: ServerResponse[] = [];
    hostile.behave((message, response) => {
      if (message.method !== 'tools/call') return false;
      if (message.params['name'] === 'slow' && bearer(message) === tokens[1]) return late.push(response) > 0;
      return refusing(so)(message, response);
    });
    await keeper.reach.reach(server, never);
    so = 1;
    const slow = keeper.remote.call(server, 'slow', {}, patient);
    await hostile.received('tools/call', 2);
    so = 2;
    expect(await keeper.remote.call(server, 'plain', {}, patient)).toMatchObject({ kind: 'answered' });
    for (const response of late) reply(response, '', 401);
    expect(await slow).toMatchObject({ kind: 'answered' });
    expect([await parked(), given]).toEqual([null, 2]);
    expect(await types()).not.toContain('McpReauthorizationRequired');
  });

  it('and replaced every time it is used is given up after four tries', async () => {
    let times = 0;
    hostile.behave((message, response) => {
      if (message.method !== 'tools/call') return false;
      times += 1;
      void replaceToken(`other-${times}`).then(() => reply(response, '', 401));
      return true;
    });
    await keeper.reach.reach(server, never);
    expect(await keeper.remote.call(server, 'plain', {}, patient)).toMatchObject({ kind: 'rejected', code: 'authorization_unreachable' });
    expect([times, await parked()]).toEqual([4, null]);
  });
});

describe('what a server echoes', () => {
  /** Everything it was ever sent. */
  const heard = (): string => [...new Set(hostile.seen.map(bearer)), refreshToken].join(' ');
  const expectClean = (value: unknown): void => {
    const text = JSON.stringify(value);
    for (const secret of [...tokens, refreshToken]) for (const form of [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '')]) expect(text).not.toContain(form);
  };
  const echoing: Behaviour = (message, response) => {
    const said = `${heard()} ${Buffer.from(bearer(message)).toString('base64')}`;
    if (message.method === 'initialize') return replyResult(response, message, { ...(goodResult(message) as object), instructions: said });
    if (message.method === 'tools/list') return replyResult(response, message, { tools: [{ ...plainTool, description: said }] });
    if (message.method !== 'tools/call') return false;
    if (message.params['name'] === 'failing') return reply(response, { jsonrpc: '2.0', id: message.id, error: { code: -32000, message: said } });
    if (message.params['name'] === 'refusing') return reply(response, said, 500);
    return replyResult(response, message, { content: [{ type: 'text', text: said }], structuredContent: { said } });
  };

  it('holds neither old nor new tokens: in listings, results, errors, and for a connection made since', async () => {
    let so = 1;
    hostile.behave((message, response) => refusing(so, echoing)(message, response));
    const everything: unknown[] = [await keeper.reach.reach(server, never)];
    for (const name of ['plain', 'failing', 'refusing']) {
      everything.push(await keeper.call(server, name));
      so += name === 'plain' ? 1 : 0;
    }
    await keeper.remote.disconnect(server.serverId);
    everything.push(await keeper.reach.reach(server, never), await keeper.call(server, 'plain'));
    expect(given).toBe(2);
    expect(JSON.stringify(everything)).toContain('server_secret');
    expectClean(everything);
    expectClean(await keeper.onRecord(server));
  });

  it('is cleaned by the token it was sent with, also when that was got in the middle of a listing', async () => {
    hostile.behave(
      refusing(0, (message, response) => {
        if (message.method !== 'tools/list') return false;
        if (message.params['cursor'] === undefined) return replyResult(response, message, { tools: [plainTool], nextCursor: 'more' });
        if (bearer(message) === tokens[0]) return reply(response, '', 401);
        return replyResult(response, message, { tools: [{ ...plainTool, name: 'other', description: bearer(message) }] });
      }),
    );
    const reached = await keeper.reach.reach(server, never);
    expect(reached).toMatchObject({ ok: true, listing: { tools: [{ name: 'plain' }, { name: 'other' }] } });
    expectClean(reached);
  });

  it('does not come out of a failed connection as the name of a scope', async () => {
    hostile.behave((message, response) => reply(response, '', 403, { 'www-authenticate': `Bearer error="insufficient_scope", scope="more ${bearer(message)} x${refreshToken}x"` }));
    const reached = await keeper.reach.reach(server, never);
    expect(reached).toMatchObject({ ok: false, class: 'needs_reauthorization', scopesMissing: ['more'] });
    expectClean(reached);
  });

  it('hides what helps behind no list of scopes, however long', async () => {
    const scopes = Array.from({ length: 20 }, (_, index) => `${index}${'s'.repeat(60)}`).join(' ');
    hostile.behave((message, response) => message.method === 'tools/call' && reply(response, '', 403, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes}"` }));
    expect(await keeper.call(server, 'plain')).toMatchObject({ message: expect.stringMatching(/`toolledger mcp sign-in`.+`toolledger mcp tool off`.+`toolledger mcp refresh`\.$/) });
  });

  it('does not come into the ledger as the name of a scope', async () => {
    hostile.behave((message, response) => message.method === 'tools/call' && reply(response, '', 403, { 'www-authenticate': `Bearer error="insufficient_scope", scope="more ${bearer(message)} x${refreshToken}x"` }));
    expect(await keeper.call(server, 'plain')).toMatchObject({ kind: 'rejected', code: 'needs_reauthorization' });
    expect((await keeper.signInState(server)).wanted).toEqual(['more', 'tools']);
    expectClean(await keeper.onRecord(server));
  });
});
