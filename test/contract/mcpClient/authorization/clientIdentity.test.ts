import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthorizationServer } from '../../../../src/mcp/client/authorization/discovery/authorizationServer.js';
import { openAuthorizationFetch } from '../../../../src/mcp/client/authorization/authorizationFetch.js';
import { chooseClient, type ClientWish } from '../../../../src/mcp/client/authorization/client/clientIdentity.js';
import type { OAuthClient } from '../../../../src/mcp/client/authorization/client/oauthClient.js';
import { clientMetadata } from '../../../../src/mcp/client/authorization/client/clientMetadata.js';
import { plainParts } from '../../../support/authorizationParts.js';
import { never } from '../../../support/mcpClientUnderTest.js';
import { jsonly, plainly, startRecordingServer, type RecordingServer } from '../../../support/recordingServer.js';

const document = 'https://we.example/oauth/client-metadata.json';
const loopback = 'http://127.0.0.1:7412/oauth/callback';

describe('who we are at an authorization server', () => {
  let as: RecordingServer;
  let fetch: ReturnType<typeof openAuthorizationFetch>;

  beforeEach(async () => {
    as = await startRecordingServer();
    fetch = openAuthorizationFetch({ url: `${as.origin}/mcp`, workspace: 'local' }, plainParts);
    as.on('/register', jsonly(201, { client_id: 'made' }));
  });
  afterEach(async () => {
    await fetch.close();
    await as.stop();
  });

  const server = (fields: Partial<AuthorizationServer> = {}): AuthorizationServer => ({
    issuer: as.origin,
    authorizationEndpoint: `${as.origin}/authorize`,
    tokenEndpoint: `${as.origin}/token`,
    registrationEndpoint: `${as.origin}/register`,
    revocationEndpoint: null,
    issParameter: true,
    metadataDocuments: false,
    tokenAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    scopes: null,
    ...fields,
  });
  const choose = (wish: Partial<ClientWish> = {}): Promise<OAuthClient> =>
    chooseClient({ server: server(), known: null, given: null, metadataDocumentUrl: null, redirectUri: loopback, scopes: ['a', 'b'], version: '1.2.3', now: 1_000_000, ...wish }, fetch, never);
  const known = (fields: Partial<OAuthClient> = {}): OAuthClient => ({
    clientId: 'known',
    clientSecret: null,
    authMethod: 'none',
    source: 'registered',
    redirectUri: loopback,
    scopes: ['a', 'b', 'c'],
    secretExpiresAt: null,
    ...fields,
  });

  describe('given by the admin', () => {
    it('comes before everything else', async () => {
      const chosen = await choose({ given: { clientId: 'g', clientSecret: null }, known: known(), metadataDocumentUrl: document, server: server({ metadataDocuments: true }) });
      expect(chosen).toEqual({ clientId: 'g', clientSecret: null, authMethod: 'none', source: 'given', redirectUri: loopback, scopes: ['a', 'b'], secretExpiresAt: null });
      expect(as.requests).toEqual([]);
    });

    it.each([
      [null, 'client_secret_basic'],
      [['client_secret_post', 'client_secret_basic'], 'client_secret_basic'],
      [['client_secret_post'], 'client_secret_post'],
      [['private_key_jwt'], 'client_secret_basic'],
    ])('proves itself with its secret as the server allows: %j', async (tokenAuthMethods, authMethod) => {
      expect(await choose({ given: { clientId: 'g', clientSecret: 's' }, server: server({ tokenAuthMethods }) })).toMatchObject({ clientSecret: 's', authMethod });
    });

    it('stays, with whatever scopes and address are wanted now', async () => {
      expect(await choose({ known: known({ source: 'given', scopes: [], redirectUri: 'https://old.example/' }) })).toMatchObject({ clientId: 'known', source: 'given', scopes: ['a', 'b'], redirectUri: loopback });
    });
  });

  describe('a metadata document', () => {
    const advertised = () => server({ metadataDocuments: true });

    it('is used where it is advertised and we serve one', async () => {
      expect(await choose({ server: advertised(), metadataDocumentUrl: document, redirectUri: 'https://we.example/oauth/callback' })).toEqual({
        clientId: document,
        clientSecret: null,
        authMethod: 'none',
        source: 'metadata_document',
        redirectUri: 'https://we.example/oauth/callback',
        scopes: ['a', 'b'],
        secretExpiresAt: null,
      });
      expect(as.requests).toEqual([]);
    });

    it('is not used where it is not advertised, or where we serve none', async () => {
      expect(await choose({ metadataDocumentUrl: document })).toMatchObject({ source: 'registered' });
      expect(await choose({ server: advertised() })).toMatchObject({ source: 'registered' });
    });

    it('says who we are, under its own URL', () => {
      expect(clientMetadata({ clientId: document, redirectUri: 'https://we.example/oauth/callback', scopes: [], authMethod: 'none', version: '1.2.3' })).toEqual({
        client_id: document,
        client_name: 'toolledger',
        software_id: 'toolledger',
        software_version: '1.2.3',
        redirect_uris: ['https://we.example/oauth/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'web',
      });
    });
  });

  describe('registered', () => {
    it('asks for all that may be needed', async () => {
      expect(await choose()).toEqual(known({ clientId: 'made', scopes: ['a', 'b'] }));
      expect(as.asked()).toEqual(['POST /register']);
      expect(as.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' });
      expect(JSON.parse(as.requests[0]?.body ?? '')).toEqual({
        client_name: 'toolledger',
        software_id: 'toolledger',
        software_version: '1.2.3',
        redirect_uris: [loopback],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        scope: 'a b',
      });
    });

    it('is a web application where it comes back over https, and leaves out scopes where there are none', async () => {
      await choose({ redirectUri: 'https://we.example/oauth/callback', scopes: [] });
      const asked: unknown = JSON.parse(as.requests[0]?.body ?? '');
      expect(asked).toMatchObject({ application_type: 'web' });
      expect(asked).not.toHaveProperty('scope');
    });

    it.each([
      [['client_secret_post', 'none'], 'none'],
      [['client_secret_post', 'client_secret_basic'], 'client_secret_basic'],
      [['private_key_jwt', 'client_secret_post'], 'client_secret_post'],
      [null, 'client_secret_basic'],
    ])('proves itself in a way that both know: of %j %s', async (tokenAuthMethods, method) => {
      as.on('/register', jsonly(201, { client_id: 'made', client_secret: 'cs', client_secret_expires_at: 0 }));
      await choose({ server: server({ tokenAuthMethods }) });
      expect(JSON.parse(as.requests[0]?.body ?? '')).toMatchObject({ token_endpoint_auth_method: method });
    });

    it('is not possible where there is no such way', async () => {
      await expect(choose({ server: server({ tokenAuthMethods: ['private_key_jwt', 'tls_client_auth'] }) })).rejects.toMatchObject({
        code: 'registration_unsupported',
        message: expect.stringMatching(/ It says: \u201cprivate_key_jwt, tls_client_auth\u201d$/),
      });
      expect(as.requests).toEqual([]);
    });

    it('is not possible where nobody registers, which says what to do instead', async () => {
      await expect(choose({ server: server({ registrationEndpoint: null }) })).rejects.toMatchObject({
        code: 'registration_unsupported',
        message: expect.stringMatching(/http:\/\/127\.0\.0\.1:7412 with the path \/oauth\/callback.+--client-id/),
      });
    });

    it.each<[string, object, object]>([
      ['a secret without a method', { client_secret: 'cs' }, { authMethod: 'client_secret_basic', clientSecret: 'cs' }],
      ['another method than was asked for', { client_secret: 'cs', token_endpoint_auth_method: 'client_secret_post' }, { authMethod: 'client_secret_post', clientSecret: 'cs' }],
      ['a secret that is not to be used', { client_secret: 'cs', token_endpoint_auth_method: 'none', client_secret_expires_at: 1 }, { authMethod: 'none', clientSecret: null, secretExpiresAt: null }],
      ['a secret that lasts for ever', { client_secret: 'cs', client_secret_expires_at: 0 }, { secretExpiresAt: null }],
      ['a secret that ends', { client_secret: 'cs', client_secret_expires_at: 2_000 }, { secretExpiresAt: 2_000_000 }],
      ['our address among others', { redirect_uris: ['https://x.example', loopback] }, { clientId: 'made' }],
      ['fewer scopes, which is seen when they are asked for', { scope: 'a' }, { scopes: ['a', 'b'] }],
      ['nothing more, written as null', { client_secret: null, client_secret_expires_at: null, redirect_uris: null }, { authMethod: 'none' }],
    ])('takes the answer with %s', async (_, answer, expected) => {
      as.on('/register', jsonly(201, { client_id: 'made', ...answer }));
      expect(await choose()).toMatchObject(expected);
    });

    it('takes an answer of HTTP 200 too', async () => {
      as.on('/register', jsonly(200, { client_id: 'made' }));
      expect(await choose()).toMatchObject({ clientId: 'made' });
    });

    it.each<[string, object]>([
      ['no client', { client_id: undefined }],
      ['a client that is no text', { client_id: 7 }],
      ['a client with a line break', { client_id: 'a\nb' }],
      ['a client of 3 kB', { client_id: 'x'.repeat(3_000) }],
      ['a secret with a control character', { client_secret: 'a\u0000' }],
      ['a method we do not know', { client_secret: 'cs', token_endpoint_auth_method: 'private_key_jwt' }],
      ['a method that needs a secret and none', { token_endpoint_auth_method: 'client_secret_basic' }],
      ['a secret that has expired', { client_secret: 'cs', client_secret_expires_at: 999 }],
      ['an end that is no number', { client_secret: 'cs', client_secret_expires_at: 'soon' }],
      ['other addresses to come back to', { redirect_uris: ['https://evil.example/'] }],
      ['an error in spite of HTTP 201', { error: 'invalid_redirect_uri' }],
    ])('refuses an answer with %s', async (_, answer) => {
      as.on('/register', jsonly(201, { client_id: 'made', ...answer }));
      await expect(choose()).rejects.toMatchObject({ code: 'registration_refused', message: expect.stringContaining('--client-id') });
    });

    it('says why the server refused', async () => {
      as.on('/register', jsonly(400, { error: 'invalid_client_metadata', error_description: 'Not from\u0007 here' }));
      await expect(choose()).rejects.toMatchObject({ code: 'registration_refused', message: expect.stringMatching(/`toolledger mcp sign-in --client-id ID`\. It says: \u201cinvalid_client_metadata: Not from here\u201d$/) });
      as.on('/register', plainly(403, {}, '<html>'));
      await expect(choose()).rejects.toMatchObject({ code: 'registration_refused', message: expect.stringContaining('HTTP 403') });
      as.on('/register', plainly(307, { location: 'https://evil.example/' }));
      await expect(choose()).rejects.toMatchObject({ code: 'registration_refused', message: expect.stringContaining('redirects') });
      as.on('/register', (request) => request.socket.destroy());
      await expect(choose()).rejects.toMatchObject({ code: 'authorization_server_unreachable' });
    });

    it('is kept as long as it is good', async () => {
      expect(await choose({ known: known() })).toEqual(known());
      expect(await choose({ known: known({ clientSecret: 's', authMethod: 'client_secret_post', secretExpiresAt: 1_000_001 }) })).toMatchObject({ clientId: 'known' });
      expect(as.requests).toEqual([]);
    });

    it.each<[string, () => Partial<ClientWish>]>([
      ['the server may have forgotten it', () => ({ known: null })],
      ['its secret has expired', () => ({ known: known({ secretExpiresAt: 1_000_000 }) })],
      ['more scopes are needed', () => ({ known: known(), scopes: ['a', 'd'] })],
      ['it came back elsewhere', () => ({ known: known({ redirectUri: 'http://127.0.0.1:1/oauth/callback' }) })],
    ])('is made anew, once, when %s', async (_, wish) => {
      expect(await choose(wish())).toMatchObject({ clientId: 'made', source: 'registered' });
      expect(as.asked()).toEqual(['POST /register']);
    });
  });
});
