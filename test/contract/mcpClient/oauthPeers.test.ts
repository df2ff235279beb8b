import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { huge, stalled } from '../../support/oauth/servers/interceptions.js';
import { startLocalServer } from '../../support/oauth/servers/localServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { newScriptedBrowser, type Page, type ScriptedBrowser } from '../../support/oauth/browser/scriptedBrowser.js';

// Nobody listens there: the browser stops before it.
const callback = 'http://127.0.0.1:1/callback';

/** The SDK's own client, with what it keeps between its steps. */
class SdkClient implements OAuthClientProvider {
  readonly redirectUrl: string = callback;
  readonly clientMetadata = { client_name: 'SDK', redirect_uris: [callback], grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' };
  asked: URL | undefined;
  kept: { client?: OAuthClientInformationMixed | undefined; tokens?: OAuthTokens | undefined; verifier?: string } = {};
  readonly #client = new Client({ name: 'sdk', version: '1.0.0' });

  constructor(
    readonly url: string,
    readonly clientMetadataUrl: string = '',
  ) {}

  clientInformation = () => this.kept.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.kept.client = client);
  tokens = () => this.kept.tokens;
  saveTokens = (tokens: OAuthTokens) => void (this.kept.tokens = tokens);
  redirectToAuthorization = (url: URL) => void (this.asked = url);
  saveCodeVerifier = (verifier: string) => void (this.kept.verifier = verifier);
  codeVerifier = () => this.kept.verifier ?? '';
  invalidateCredentials = (scope: string) => {
    delete this.kept.tokens;
    if (scope === 'all') delete this.kept.client;
  };

  async connect(): Promise<void> {
    await this.#client.connect(this.#transport());
  }

  async finish(code: string | null): Promise<void> {
    await this.#transport().finishAuth(code ?? '');
  }

  async call(name: string): Promise<unknown> {
    const { content } = await this.#client.callTool({ name });
    return JSON.parse((content as { text: string }[])[0]?.text ?? '');
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #transport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(new URL(this.url), { authProvider: this });
  }
}

describe('the counterparts of a sign-in, driven by the SDK', () => {
  let authorization: AuthorizationServer;
  let server: ProtectedMcpServer;
  let client: SdkClient;
  let browser: ScriptedBrowser;
  beforeEach(async () => {
    authorization = await startAuthorizationServer();
    server = await startProtectedMcpServer(authorization);
    // The SDK refreshes for each refused request by itself, so its stream would bring the old refresh token once more.
    server.behave({ offersStream: false });
    client = new SdkClient(server.url);
    browser = newScriptedBrowser();
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
    await authorization.stop();
  });

  /** What the person sees who is sent to the authorization server. */
  async function consentPage(): Promise<Page> {
    await expect(client.connect()).rejects.toBeInstanceOf(UnauthorizedError);
    return browser.open(client.asked?.href ?? '');
  }
  const answered = async (entries: Record<string, string | string[]>) => new URL((await browser.submit(await consentPage(), entries, { stopBefore: callback })).url).searchParams;
  async function signIn(): Promise<void> {
    await client.finish((await answered({ answer: 'allow' })).get('code'));
    await client.connect();
  }
  const refresh = (token: string | undefined) =>
    fetch(`${authorization.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token ?? '', client_id: client.kept.client?.client_id ?? '' }),
    });

  it('let it in, with tokens for this server', async () => {
    await signIn();
    expect(await client.call('whoami')).toEqual({ subject: 'alice', clientId: client.kept.client?.client_id, scopes: ['tools'] });
    for (const endpoint of ['authorization', 'token'] as const) {
      expect(authorization.requests(endpoint).map(({ parameters }) => parameters.get('resource'))).toEqual([server.url]);
    }
    expect(authorization.requests('registration')).toHaveLength(1);
  });

  it('answer the refusal of a token and the lack of a scope with what to ask for', async () => {
    await signIn();
    const post = (token: string) =>
      fetch(server.url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'admin' } }) });
    const metadata = `resource_metadata="${server.origin}/.well-known/oauth-protected-resource/mcp"`;
    const unknown = await post('unknown');
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([401, `Bearer error="invalid_token", ${metadata}, scope="tools"`]);
    const weak = await post(client.kept.tokens?.access_token ?? '');
    expect([weak.status, weak.headers.get('www-authenticate')]).toEqual([403, `Bearer error="insufficient_scope", ${metadata}, scope="admin"`]);
  });

  it('give a new pair of tokens for an expired one', async () => {
    await authorization.set({ accessTokenSeconds: 5 });
    await signIn();
    const before = client.kept.tokens;
    expect(before?.expires_in).toBe(5);
    await authorization.expireAccessTokens();
    expect(await client.call('whoami')).toMatchObject({ subject: 'alice' });
    const after = client.kept.tokens;
    expect(server.tokensSeen()).toEqual([before?.access_token, after?.access_token]);
    expect(after?.refresh_token).not.toBe(before?.refresh_token);
    const last = authorization.requests('token').at(-1)?.parameters;
    expect([last?.get('grant_type'), last?.get('resource')]).toEqual(['refresh_token', server.url]);
  });

  it('end the grant when an old refresh token comes back', async () => {
    await signIn();
    const old = client.kept.tokens?.refresh_token;
    await authorization.expireAccessTokens();
    await client.call('whoami');
    expect(await (await refresh(old)).json()).toMatchObject({ error: 'invalid_grant' });
    expect(await (await refresh(client.kept.tokens?.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
    await expect(client.call('whoami')).rejects.toBeInstanceOf(UnauthorizedError);
  });

  it('let nobody in whose grant was taken back', async () => {
    await signIn();
    await authorization.revokeGrants();
    await expect(client.call('whoami')).rejects.toBeInstanceOf(UnauthorizedError);
    expect(await authorization.introspect(client.kept.tokens?.access_token ?? '')).toBeNull();
  });

  it('take back a token that the client gives up', async () => {
    await signIn();
    const token = client.kept.tokens?.access_token ?? '';
    const body = new URLSearchParams({ token, client_id: client.kept.client?.client_id ?? '' });
    expect((await fetch(`${authorization.issuer}/token/revocation`, { method: 'POST', body })).status).toBe(200);
    expect(await authorization.introspect(token)).toBeNull();
  });

  it('register a client again that was forgotten', async () => {
    await signIn();
    await authorization.forgetClients();
    await authorization.expireAccessTokens();
    await expect(client.call('whoami')).rejects.toBeInstanceOf(UnauthorizedError);
    expect(authorization.requests('registration')).toHaveLength(2);
  });

  it('say who said no, in whose name', async () => {
    expect(Object.fromEntries(await answered({ answer: 'deny' }))).toMatchObject({ error: 'access_denied', iss: authorization.issuer });
  });

  it('refuse a token for somebody else', async () => {
    await authorization.set({ audience: 'https://elsewhere.example/mcp' });
    await client.finish((await answered({ answer: 'allow' })).get('code'));
    await expect(client.connect()).rejects.toThrow();
    expect(await authorization.introspect(client.kept.tokens?.access_token ?? '')).toMatchObject({ audience: 'https://elsewhere.example/mcp' });
  });

  it('hold a token answer back, and lose one', async () => {
    await signIn();
    const held = authorization.holdToken();
    const first = refresh(client.kept.tokens?.refresh_token);
    await held.made;
    held.release();
    const { refresh_token: next } = (await (await first).json()) as OAuthTokens;

    const cut = authorization.cutToken();
    await expect(refresh(next)).rejects.toThrow('fetch failed');
    await cut;
    expect(await (await refresh(next)).json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('lie in redirects and metadata when told to', async () => {
    authorization.alterRedirect((location) => location.searchParams.set('iss', 'https://elsewhere.example'));
    expect((await answered({ answer: 'allow' })).get('iss')).toBe('https://elsewhere.example');

    const metadata = () => fetch(`${authorization.issuer}/.well-known/oauth-authorization-server`);
    authorization.alterMetadata((metadata) => ({ ...metadata, issuer: 'https://elsewhere.example', code_challenge_methods_supported: undefined }));
    const altered = (await (await metadata()).json()) as object;
    expect(altered).toMatchObject({ issuer: 'https://elsewhere.example', client_id_metadata_document_supported: true });
    expect(altered).not.toHaveProperty('code_challenge_methods_supported');

    authorization.intercept('metadata', huge(100_000));
    expect(await (await metadata()).text()).toHaveLength(100_000);
    authorization.intercept('metadata', stalled);
    const stalling = new AbortController();
    const answer = fetch(`${authorization.issuer}/.well-known/openid-configuration`, { signal: stalling.signal });
    await authorization.received('metadata', authorization.requests('metadata').length + 1);
    stalling.abort();
    await expect(answer).rejects.toThrow('aborted');
  });

  it('take a client by its metadata document', async () => {
    const clientId = 'https://bot.example/client.json';
    const bot = await startLocalServer((_request, response) => {
      const document = { ...client.clientMetadata, client_id: clientId, application_type: 'native' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    });
    await authorization.set({ documentHosts: { 'https://bot.example': bot.origin } });
    client = new SdkClient(server.url, clientId);
    await signIn();
    await bot.stop();
    expect(await client.call('whoami')).toMatchObject({ clientId });
    expect(authorization.requests('registration')).toEqual([]);
  });

  it('work where the issuer has a path, and resource metadata is found without being named', async () => {
    const tenant = await startAuthorizationServer('/tenant');
    const other = await startProtectedMcpServer(tenant);
    other.behave({ metadataAt: 'root', namesMetadata: false });
    client = new SdkClient(other.url);
    await signIn();
    expect(await client.call('whoami')).toMatchObject({ subject: 'alice' });
    expect(other.metadataRequests).toContain('/.well-known/oauth-protected-resource');
    await other.stop();
    await tenant.stop();
  });
});
