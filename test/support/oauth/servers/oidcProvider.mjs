// An authorization server in a process of its own, because oidc-provider talks to the console of whoever runs it.
// Its parent tells it over IPC where the world sees it and what to do; it ends when the parent lets go.
import { createServer } from 'node:http';
import { errors, Provider } from 'oidc-provider';
import { consentPage } from './consentPage.mjs';
import { forgetGrants, ProviderStore, stored } from './providerStore.mjs';

const issuer = process.argv[2];
const mount = new URL(issuer).pathname.replace(/\/$/, '');

/** What the tests may change. */
const settings = { accessTokenSeconds: 3600, refreshTokens: 'always', rotation: true, audience: null, acceptsResources: true, documentHosts: {} };

const provider = new Provider(issuer, {
  adapter: ProviderStore,
  clientBasedCORS: () => false,
  clockTolerance: 0,
  scopes: ['openid', 'offline_access', 'tools', 'admin'],
  responseTypes: ['code'],
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    registration: { enabled: true },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    resourceIndicators: { enabled: true, defaultResource: (_ctx, _client, oneOf) => oneOf, getResourceServerInfo },
  },
  fetch: fetchDocument,
  findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  interactions: { url: (_ctx, { uid }) => `${mount}/interaction/${uid}` },
  issueRefreshToken: (_ctx, client, { scopes }) =>
    client.grantTypeAllowed('refresh_token') && (settings.refreshTokens === 'always' || (settings.refreshTokens === 'offline_access' && scopes.has('offline_access'))),
  expiresWithSession: () => false,
  rotateRefreshToken: () => settings.rotation,
  renderError: (ctx, { error, error_description: description }) => {
    ctx.type = 'text';
    ctx.body = `${error}: ${description}`;
  },
  ttl: { AccessToken: () => settings.accessTokenSeconds, RefreshToken: 86_400, Interaction: 3600, Session: 86_400, Grant: 86_400, IdToken: 3600 },
});
provider.on('server_error', (_ctx, error) => process.send({ fault: error.stack }));

function getResourceServerInfo(_ctx, resource) {
  if (!settings.acceptsResources) throw new errors.InvalidTarget();
  return { scope: 'tools admin', audience: settings.audience ?? resource, accessTokenFormat: 'opaque' };
}

/** Client metadata documents have an https address; here is who really serves it. */
async function fetchDocument(url, { method, headers, signal, redirect }) {
  const { origin, pathname, search } = new URL(url);
  const host = settings.documentHosts[origin];
  if (host === undefined) throw new Error(`No server is known for ${origin}.`);
  return globalThis.fetch(`${host}${pathname}${search}`, { method, headers, signal, redirect });
}

const commands = {
  set: (changes) => void Object.assign(settings, changes),
  addClient: (client) => void stored('Client').set(client.client_id, client),
  forgetClients: () => stored('Client').clear(),
  expireAccessTokens: () => stored('AccessToken').clear(),
  revokeGrants: forgetGrants,
  async introspect(token) {
    const found = await provider.AccessToken.find(token);
    if (found === undefined) return null;
    return { audience: found.aud, scopes: [...found.scopes], clientId: found.clientId, subject: found.accountId, expiresAt: found.exp };
  },
};

process.on('message', async ({ id, command, argument }) => {
  process.send({ id, answer: (await commands[command](argument)) ?? null });
});
process.on('disconnect', () => process.exit());

const answer = provider.callback();
const server = createServer((request, response) => {
  request.originalUrl = request.url;
  request.url = request.url.slice(mount.length);
  if (!request.url.startsWith('/interaction/')) return void answer(request, response);
  consentPage(provider, request, response).catch((error) => response.writeHead(error.statusCode ?? 500).end(String(error)));
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
