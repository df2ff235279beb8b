import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { openAuthorizationFetch } from '../../../../src/mcp/client/authorization/authorizationFetch.js';
import type { AuthorizationServer } from '../../../../src/mcp/client/authorization/discovery/authorizationServer.js';
import { chooseClient } from '../../../../src/mcp/client/authorization/client/clientIdentity.js';
import type { OAuthClient } from '../../../../src/mcp/client/authorization/client/oauthClient.js';
import { exchangeCode, refreshTokens } from '../../../../src/mcp/client/authorization/tokens/tokens.js';
import { plainParts } from '../../../support/authorizationParts.js';
import { never } from '../../../support/mcpClientUnderTest.js';
import { jsonly, plainly, startRecordingServer, type Answer, type RecordingServer } from '../../../support/recordingServer.js';

/** None of them looks like a secret, so that only knowing them keeps them out. */
const secrets = { code: 'codeword', verifier: 'verifying', clientSecret: 'confidentially', refreshToken: 'refreshing', accessToken: 'accessing' };

describe('what a hostile authorization server says', () => {
  let as: RecordingServer;
  let fetch: ReturnType<typeof openAuthorizationFetch>;
  let server: AuthorizationServer;
  const client: OAuthClient = { clientId: 'c', clientSecret: secrets.clientSecret, authMethod: 'client_secret_basic', source: 'registered', redirectUri: 'http://127.0.0.1:7412/oauth/callback', scopes: [], secretExpiresAt: null };

  beforeEach(async () => {
    as = await startRecordingServer();
    fetch = openAuthorizationFetch({ url: `${as.origin}/mcp`, workspace: 'local' }, plainParts);
    server = {
      issuer: as.origin,
      authorizationEndpoint: `${as.origin}/authorize`,
      tokenEndpoint: `${as.origin}/token`,
      registrationEndpoint: `${as.origin}/register`,
      revocationEndpoint: null,
      issParameter: true,
      metadataDocuments: false,
      tokenAuthMethods: null,
      scopes: null,
    };
  });
  afterEach(async () => {
    await fetch.close();
    await as.stop();
  });

  const exchange = () => exchangeCode({ server, client, redirectUri: client.redirectUri, code: secrets.code, verifier: secrets.verifier, resource: 'https://mcp.example', now: 0 }, fetch, never);
  const refresh = () => refreshTokens({ server, client, refreshToken: secrets.refreshToken, resource: 'https://mcp.example', now: 0 }, fetch, never);
  const shown = (work: Promise<unknown>): Promise<string> => work.then(() => 'It worked.', (error: unknown) => inspect(error, { depth: 10 }));
  const sent = [secrets.code, secrets.verifier, secrets.refreshToken, secrets.clientSecret];
  const echo = sent.map((secret) => `${secret} ${Buffer.from(secret).toString('base64')} ${secret.slice(0, 3)}\u200b${secret.slice(3)}`).join(' ');

  it.each<[string, Answer]>([
    ['an error', jsonly(400, { error: 'invalid_grant', error_description: echo })],
    ['an error in its own words', jsonly(400, { error: echo })],
    ['a page', plainly(500, { 'content-type': 'text/html' }, echo)],
    ['a redirect', plainly(302, { location: `/${sent.join('/')}` })],
    ['a token of another type', { access_token: secrets.accessToken, token_type: echo }],
    ['half a document', plainly(200, { 'content-type': 'application/json' }, `{"access_token":"${secrets.accessToken}`)],
  ])('is shown without what was sent or given: %s', async (_, answer) => {
    as.on('/token', answer);
    const exchanged = await shown(exchange());
    for (const secret of [secrets.code, secrets.verifier, secrets.clientSecret, secrets.accessToken]) expect(exchanged).not.toContain(secret);
    const refreshed = await shown(refresh());
    for (const secret of [secrets.refreshToken, secrets.clientSecret, secrets.accessToken]) expect(refreshed).not.toContain(secret);
    expect([exchanged, refreshed]).toEqual([expect.stringContaining('AuthorizationFault'), expect.stringContaining('AuthorizationFault')]);
  });

  it('is cut, cleaned, and of one line', async () => {
    as.on('/token', jsonly(400, { error: `x\u001b[2J${'y'.repeat(100_000)}`, error_description: 'a\r\n\u202eb '.repeat(20_000) }));
    const { message } = await exchange().then(() => new Error(), (error: unknown) => error as Error);
    expect(message.length).toBeLessThanOrEqual(500);
    // eslint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it('of a registration is cleaned too', async () => {
    as.on('/register', jsonly(400, { error: 'x', error_description: '\u001b]0;title\u0007 https://evil.example/path?token=1' }));
    const wish = { server, known: null, given: null, metadataDocumentUrl: null, redirectUri: client.redirectUri, scopes: [], version: '1', now: 0 };
    expect(await shown(chooseClient(wish, fetch, never))).not.toMatch(/\p{Cc}(?<!\n)|path\?/u);
    as.on('/register', jsonly(201, { client_id: 'c', client_secret: secrets.clientSecret, token_endpoint_auth_method: secrets.clientSecret }));
    expect(await shown(chooseClient(wish, fetch, never))).not.toContain(secrets.clientSecret);
  });
});
