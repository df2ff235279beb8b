import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openAuthorizationFetch } from '../../../../src/mcp/client/authorization/authorizationFetch.js';
import type { AuthorizationServer } from '../../../../src/mcp/client/authorization/discovery/authorizationServer.js';
import type { OAuthClient } from '../../../../src/mcp/client/authorization/client/oauthClient.js';
import { exchangeCode, refreshTokens, revokeTokens } from '../../../../src/mcp/client/authorization/tokens/tokens.js';
import { plainParts } from '../../../support/authorizationParts.js';
import { never } from '../../../support/mcpClientUnderTest.js';
import { jsonly, plainly, startRecordingServer, type RecordingServer } from '../../../support/recordingServer.js';

const publicClient: OAuthClient = { clientId: 'c 1', clientSecret: null, authMethod: 'none', source: 'registered', redirectUri: 'http://127.0.0.1:7412/oauth/callback', scopes: [], secretExpiresAt: null };
const granted = { access_token: 'at-1', token_type: 'Bearer', expires_in: 60, refresh_token: 'rt-2', scope: 'a b' };
const resource = 'https://mcp.example/mcp';

describe('tokens', () => {
  let as: RecordingServer;
  let fetch: ReturnType<typeof openAuthorizationFetch>;
  let server: AuthorizationServer;

  beforeEach(async () => {
    as = await startRecordingServer();
    fetch = openAuthorizationFetch({ url: `${as.origin}/mcp`, workspace: 'local' }, plainParts);
    server = {
      issuer: as.origin,
      authorizationEndpoint: `${as.origin}/authorize`,
      tokenEndpoint: `${as.origin}/token`,
      registrationEndpoint: null,
      revocationEndpoint: `${as.origin}/revoke`,
      issParameter: true,
      metadataDocuments: false,
      tokenAuthMethods: null,
      scopes: null,
    };
    as.on('/token', granted);
  });
  afterEach(async () => {
    await fetch.close();
    await as.stop();
  });

  const exchange = (client = publicClient) => exchangeCode({ server, client, redirectUri: client.redirectUri, code: 'code-1', verifier: 'verifier-1', resource, now: 1_000 }, fetch, never);
  const refresh = () => refreshTokens({ server, client: publicClient, refreshToken: 'rt-1', resource, now: 1_000 }, fetch, never);
  const form = (index = 0) => Object.fromEntries(new URLSearchParams(as.requests[index]?.body));

  it('are given for a code', async () => {
    expect(await exchange()).toEqual({ accessToken: 'at-1', refreshToken: 'rt-2', expiresAt: 61_000, scopes: ['a', 'b'] });
    expect(as.asked()).toEqual(['POST /token']);
    expect(form()).toEqual({ grant_type: 'authorization_code', client_id: 'c 1', code: 'code-1', code_verifier: 'verifier-1', redirect_uri: publicClient.redirectUri, resource });
    expect(as.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('are refreshed', async () => {
    expect(await refresh()).toMatchObject({ accessToken: 'at-1', refreshToken: 'rt-2' });
    expect(form()).toEqual({ grant_type: 'refresh_token', client_id: 'c 1', refresh_token: 'rt-1', resource });
  });

  it('are for no scope that is called like a secret that was sent', async () => {
    as.on('/token', { ...granted, scope: 'a code-1 verifier-1 rt-1' });
    expect(await exchange()).toMatchObject({ scopes: ['a', 'rt-1'] });
    expect(await refresh()).toMatchObject({ scopes: ['a', 'code-1', 'verifier-1'] });
  });

  it('keep their refresh token when no new one comes', async () => {
    as.on('/token', { ...granted, refresh_token: undefined });
    expect(await refresh()).toMatchObject({ refreshToken: 'rt-1' });
    expect(await exchange()).toMatchObject({ refreshToken: null });
  });

  it('come with an id token that nobody looks at', async () => {
    as.on('/token', { ...granted, id_token: 'not.a.jwt' });
    expect(await exchange()).toMatchObject({ accessToken: 'at-1' });
  });

  describe('are asked for by a client with a secret', () => {
    const confidential: OAuthClient = { ...publicClient, clientId: 'id:1 ü', clientSecret: 'p&ss:w/ö d', authMethod: 'client_secret_basic' };

    it('in a header, each half encoded as in a form (RFC 6749 §2.3.1)', async () => {
      await exchange(confidential);
      const [, basic] = as.requests[0]?.headers.authorization?.split(' ') ?? [];
      expect(Buffer.from(basic ?? '', 'base64').toString()).toBe('id%3A1+%C3%BC:p%26ss%3Aw%2F%C3%B6+d');
      expect(form()).not.toHaveProperty('client_secret');
    });

    it('in which stays as it is what needs no encoding: some servers do not decode', async () => {
      await exchange({ ...confidential, clientId: '0b6c-4f.a_1', clientSecret: 'Zx-9_y.z*' });
      expect(as.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('0b6c-4f.a_1:Zx-9_y.z*').toString('base64')}`);
    });

    it('or in the form', async () => {
      await exchange({ ...confidential, authMethod: 'client_secret_post' });
      expect(form()).toMatchObject({ client_id: 'id:1 ü', client_secret: 'p&ss:w/ö d' });
      expect(as.requests[0]?.headers).not.toHaveProperty('authorization');
    });
  });

  it.each([
    [400, 'invalid_grant', 'invalid_grant'],
    [401, 'invalid_client', 'invalid_client'],
    [400, 'invalid_scope', 'invalid_scope'],
    [400, 'invalid_target', 'invalid_target'],
    [400, 'unauthorized_client', 'token_refused'],
    [400, 'something_else', 'token_refused'],
    [200, 'invalid_grant', 'invalid_grant'],
  ])('are refused: HTTP %i %s', async (status, error, code) => {
    as.on('/token', jsonly(status, { error, error_description: 'Because' }));
    await expect(exchange()).rejects.toMatchObject({ code, message: expect.stringMatching(new RegExp(` It says: \u201c${error}: Because\u201d$`)) });
    expect(as.requests).toHaveLength(1);
  });

  it.each<[OAuthClient['source'], string]>([
    ['given', 'Give another one with `toolledger mcp sign-in --client-id ID`, or have one registered with `toolledger mcp sign-in --register`.'],
    ['metadata_document', 'See that it can read it, or register a client there by hand and give it with `toolledger mcp sign-in --client-id ID`.'],
    ['registered', 'Sign in again with `toolledger mcp sign-in`, which registers anew.'],
  ])('are refused to a client that is not accepted (%s), with what to do then', async (source, next) => {
    as.on('/token', jsonly(401, { error: 'invalid_client' }));
    await expect(exchange({ ...publicClient, source })).rejects.toMatchObject({ code: 'invalid_client', message: expect.stringContaining(next) });
  });

  it('are refused with a challenge beside the error', async () => {
    as.on('/token', plainly(401, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'application/json' }, '{"error":"invalid_client"}'));
    await expect(refresh()).rejects.toMatchObject({ code: 'invalid_client' });
  });

  it.each<[string, Parameters<RecordingServer['on']>[1]]>([
    ['a page that says 500', plainly(500, { 'content-type': 'text/html' }, '<html>')],
    ['a connection cut before the answer', (request) => request.socket.destroy()],
    [
      'a connection cut in the middle of it',
      (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
        response.write('{"access_token":"at', () => request.socket.destroy());
      },
    ],
    ['a page, as of a server under maintenance', plainly(200, { 'content-type': 'text/html' }, '<html>')],
    ['nothing', plainly(204, {}, '')],
    ['a form', plainly(200, { 'content-type': 'application/x-www-form-urlencoded' }, 'access_token=at-1&token_type=bearer')],
    ['no token', jsonly(200, { status: 'maintenance' })],
    ['a body over 256 KiB', plainly(200, { 'content-type': 'application/json' }, ' '.repeat(256 * 1024 + 1))],
  ])('are lost with %s: it was sent, and nobody knows', async (_, answer) => {
    as.on('/token', answer);
    await expect(refresh()).rejects.toMatchObject({ code: 'token_lost' });
    expect(as.asked()).toEqual(['POST /token']);
  });

  it('are lost with HTTP 503, which is said', async () => {
    as.on('/token', plainly(503, { 'content-type': 'text/html' }, '<html>'));
    await expect(exchange()).rejects.toMatchObject({ code: 'token_lost', message: expect.stringContaining('answered HTTP 503') });
  });

  it.each<[string, Parameters<RecordingServer['on']>[1], number]>([
    ['an error that says so', jsonly(500, { error: 'server_error' }), 500],
    ['one of HTTP 503', jsonly(503, { error: 'temporarily_unavailable' }), 503],
    ['a page that says 429', plainly(429, {}, 'slow down'), 429],
  ])('are there another time after %s', async (_, answer, status) => {
    as.on('/token', answer);
    await expect(refresh()).rejects.toMatchObject({ code: 'authorization_server_unreachable', message: expect.stringContaining(`answered HTTP ${status}`) });
  });

  it.each(['/token2', 'https://evil.example/'])('are refused with a redirect to %s: it is an answer without a token', async (location) => {
    as.on('/token', plainly(307, { location }));
    await expect(refresh()).rejects.toMatchObject({ code: 'token_refused' });
    expect(as.asked()).toEqual(['POST /token']);
  });

  it.each<[string, Parameters<RecordingServer['on']>[1]]>([
    ['no type', { ...granted, token_type: undefined }],
    ['the type DPoP', { ...granted, token_type: 'DPoP' }],
    ['a token that cannot be sent', { ...granted, access_token: 'a\nb' }],
  ])('are useless with %s', async (_, answer) => {
    as.on('/token', answer);
    await expect(exchange()).rejects.toMatchObject({ code: 'token_unusable' });
  });

  it('are taken as JSON of any type', async () => {
    as.on('/token', plainly(200, { 'content-type': 'text/plain' }, JSON.stringify(granted)));
    expect(await exchange()).toMatchObject({ accessToken: 'at-1' });
  });

  it('were provably not asked for when nobody was there, or it was given up before', async () => {
    await expect(refreshTokens({ server, client: publicClient, refreshToken: 'rt-1', resource, now: 0 }, fetch, AbortSignal.abort())).rejects.toMatchObject({ code: 'authorization_server_unreachable' });
    expect(as.requests).toEqual([]);
    const gone = await startRecordingServer();
    await gone.stop();
    server = { ...server, tokenEndpoint: `${gone.origin}/token` };
    await expect(refresh()).rejects.toMatchObject({ code: 'authorization_server_unreachable' });
  });

  it('are lost when the wait is given up after it was sent', async () => {
    const giveUp = new AbortController();
    as.on('/token', () => giveUp.abort());
    await expect(refreshTokens({ server, client: publicClient, refreshToken: 'rt-1', resource, now: 0 }, fetch, giveUp.signal)).rejects.toMatchObject({ code: 'token_lost' });
  });

  describe('are taken back', () => {
    const revoke = (tokens: { accessToken: string; refreshToken: string | null } = { accessToken: 'at-1', refreshToken: 'rt-1' }, client = publicClient) =>
      revokeTokens({ server, client, tokens }, fetch, never);

    it('both, the refresh token first', async () => {
      as.on('/revoke', plainly(200));
      expect(await revoke()).toBe('revoked');
      expect([form(0), form(1)]).toEqual([
        { client_id: 'c 1', token: 'rt-1', token_type_hint: 'refresh_token' },
        { client_id: 'c 1', token: 'at-1', token_type_hint: 'access_token' },
      ]);
    });

    it('the only one there is', async () => {
      as.on('/revoke', plainly(200));
      expect(await revoke({ accessToken: 'at-1', refreshToken: null })).toBe('revoked');
      expect(as.requests).toHaveLength(1);
    });

    it('by who has a secret with it', async () => {
      as.on('/revoke', plainly(200));
      await revoke(undefined, { ...publicClient, clientSecret: 's', authMethod: 'client_secret_basic' });
      expect(as.requests[0]?.headers.authorization).toMatch(/^Basic /);
    });

    it('not where that is not offered', async () => {
      server = { ...server, revocationEndpoint: null };
      expect(await revoke()).toBe('unsupported');
      expect(as.requests).toEqual([]);
    });

    it('not all, where the server takes only refresh tokens back', async () => {
      as.on('/revoke', (request, response) => (as.requests.length === 1 ? plainly(200) : jsonly(400, { error: 'unsupported_token_type' }))(request, response));
      expect(await revoke()).toBe('unsupported');
    });

    it.each<[string, Parameters<RecordingServer['on']>[1]]>([
      ['is out of order', plainly(503)],
      ['says no', jsonly(401, { error: 'invalid_client' })],
      ['redirects', plainly(302, { location: '/elsewhere' })],
      ['cuts the connection', (request) => request.socket.destroy()],
    ])('not when the server %s; the other one is tried all the same', async (_, answer) => {
      as.on('/revoke', answer);
      expect(await revoke()).toBe('failed');
      expect(as.requests).toHaveLength(2);
    });
  });
});
