import type { ServerResponse } from 'node:http';
import { newAnswerGates, type HeldAnswer } from './answerGates.js';
import { forwardRequest, type MadeAnswer } from './forwardedRequest.js';
import { startLocalServer } from './localServer.js';
import { readOAuthRequest, type Endpoint, type OAuthRequest } from './oauthRequest.js';
import { startProviderProcess, type GivenClient, type ProviderSettings, type TokenFacts } from './providerProcess.js';
import { newRequestLog } from './requestLog.js';

type Metadata = Readonly<Record<string, unknown>>;

/** Answers a request in the server's place; returns `true` when it did or means to, else the server answers. */
export type Interception = (request: OAuthRequest, response: ServerResponse) => boolean;

/** A real authorization server (oidc-provider) behind a front that counts, and that can lie where the provider would not. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** What came in at an endpoint, in order. */
  requests(endpoint: Endpoint): readonly OAuthRequest[];
  /** Resolves when so many requests came in at an endpoint, with the last of them. */
  received(endpoint: Endpoint, times?: number): Promise<OAuthRequest>;

  /** Changes the provider's settings. */
  set(changes: Partial<ProviderSettings>): Promise<void>;
  /** Knows a client that was not registered over HTTP. */
  addClient(client: GivenClient): Promise<void>;
  /** From now on every client so far is `invalid_client`. */
  forgetClients(): Promise<void>;
  /** No access token given out so far is good any more; refresh tokens are. */
  expireAccessTokens(): Promise<void>;
  /** Takes back every grant with all its tokens. */
  revokeGrants(): Promise<void>;
  /** What a resource server is told about an access token; null when it is not good. */
  introspect(token: string): Promise<TokenFacts | null>;

  /** Changes the metadata on its way out, from now on: another issuer, no PKCE, no metadata documents … */
  alterMetadata(change: (metadata: Metadata) => Metadata): void;
  /** Changes the redirect back to the client on its way out, from now on: another `iss`, none … */
  alterRedirect(change: (location: URL) => void): void;
  /** Answers an endpoint's requests in the server's place, until told `null`. */
  intercept(endpoint: Endpoint, interception: Interception | null): void;
  /** The next token answer is made (the old refresh token is used up by then) and held back. */
  holdToken(): HeldAnswer;
  /** The next token answer is made and then the connection is cut; resolves when that has happened. */
  cutToken(): Promise<void>;
  /** Fails when the provider met an error of its own meanwhile. */
  stop(): Promise<void>;
}

/** Starts one. With a path (`/tenant`) its issuer has that path. */
export async function startAuthorizationServer(mount: '' | `/${string}` = ''): Promise<AuthorizationServer> {
  const log = newRequestLog();
  const gates = newAnswerGates();
  const interceptions = new Map<Endpoint, Interception | null>();
  let alterMetadata = (metadata: Metadata) => metadata;
  let alterRedirect: (location: URL) => void = () => undefined;
  let providerPort = 0;

  const server = await startLocalServer((incoming, response) => {
    readOAuthRequest(incoming, mount)
      .then((request) => answer(request, response))
      .catch(() => response.destroy());
  });
  const issuer = `${server.origin}${mount}`;

  async function answer(request: OAuthRequest, response: ServerResponse): Promise<void> {
    log.add(request);
    if (interceptions.get(request.endpoint)?.(request, response) === true) return;
    const path = pathAtProvider(request, mount);
    if (path === null) return void response.writeHead(404).end();
    const { status, headers, body } = altered(request, await forwardRequest(request, providerPort, path));
    if (request.endpoint !== 'token' || (await gates.pass(response))) response.writeHead(status, headers).end(body);
  }

  function altered({ endpoint }: OAuthRequest, made: MadeAnswer): MadeAnswer {
    if (endpoint === 'metadata' && made.status === 200) return { ...made, body: JSON.stringify(alterMetadata(JSON.parse(made.body.toString()) as Metadata)) };
    const location = new URL(made.headers.location ?? issuer, issuer);
    if (location.origin === server.origin) return made;
    alterRedirect(location);
    return { ...made, headers: { ...made.headers, location: location.href } };
  }

  const provider = await startProviderProcess(issuer);
  providerPort = provider.port;
  return {
    issuer,
    requests: log.requests,
    received: log.received,
    set: (changes) => done(provider.tell('set', changes)),
    addClient: (client) => done(provider.tell('addClient', client)),
    forgetClients: () => done(provider.tell('forgetClients')),
    expireAccessTokens: () => done(provider.tell('expireAccessTokens')),
    revokeGrants: () => done(provider.tell('revokeGrants')),
    introspect: (token) => provider.tell('introspect', token),
    alterMetadata: (change) => void (alterMetadata = change),
    alterRedirect: (change) => void (alterRedirect = change),
    intercept(endpoint, interception) {
      interceptions.set(endpoint, interception);
    },
    holdToken: gates.hold,
    cutToken: gates.cut,
    async stop() {
      await server.stop();
      await provider.stop();
    },
  };
}

async function done(told: Promise<null>): Promise<void> {
  await told;
}

/** Where the provider has what is asked for; null for nowhere. */
function pathAtProvider({ endpoint, path, parameters }: OAuthRequest, mount: string): string | null {
  // The provider lets nobody in who names no scope; most servers have one for them.
  if (endpoint === 'authorization' && !parameters.has('scope')) return `${path}&scope=tools`;
  if (endpoint !== 'metadata') return path.startsWith(`${mount}/`) ? path : null;
  const inserted = [`/.well-known/oauth-authorization-server${mount}`, `/.well-known/openid-configuration${mount}`];
  const appended = `${mount}/.well-known/openid-configuration`;
  return [...inserted, appended].includes(path) ? appended : null;
}
