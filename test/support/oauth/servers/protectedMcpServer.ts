import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { newAnswerGates, type HeldAnswer } from './answerGates.js';
import type { AuthorizationServer } from './authorizationServer.js';
import { startLocalServer } from './localServer.js';

type Metadata = Readonly<Record<string, unknown>>;

/** How it behaves; changes hold from the next request on. */
export interface ProtectedBehaviour {
  /** 401 whatever token comes. */
  readonly refusesAll: boolean;
  /** Where it has its resource metadata. */
  readonly metadataAt: 'path' | 'root' | 'nowhere';
  /** Whether the challenge says where the metadata is. */
  readonly namesMetadata: boolean;
  /** The scopes the challenge names; null for none. */
  readonly challengedScope: string | null;
  /** The whole challenge, when it shall be something else. */
  readonly challenge: string | null;
  /** What it calls itself, and whom tokens must be for; null: its URL. */
  readonly resource: string | null;
  /** Whether a client may open a stream with GET. */
  readonly offersStream: boolean;
  readonly alterMetadata: (metadata: Metadata) => Metadata;
  /** Where it sends on (307) whoever comes with a token; null: nowhere. */
  readonly sendsOnTo: string | null;
  /** How many tools with long descriptions it offers besides. */
  readonly moreTools: number;
}

/** A request to the MCP endpoint. */
export interface McpRequest {
  readonly httpMethod: string;
  readonly headers: IncomingHttpHeaders;
  /** Of JSON-RPC. */
  readonly method: string | null;
  readonly token: string | null;
}

/** A real MCP server (SDK, Streamable HTTP) that wants a token for itself: `whoami` with scope `tools`, `admin` with scope `admin`. */
export interface ProtectedMcpServer {
  readonly url: string;
  readonly origin: string;
  /** What came to the MCP endpoint, in order. */
  readonly requests: readonly McpRequest[];
  /** What was asked about metadata: the paths, in order. */
  readonly metadataRequests: readonly string[];
  /** Every different token it saw, in order. */
  tokensSeen(): readonly string[];
  behave(changes: Partial<ProtectedBehaviour>): void;
  /** Holds the next answer of the MCP endpoint back that refuses a token, its scopes, or its lack. */
  holdRefusal(): HeldAnswer;
  /** Holds the next listing of tools back. */
  holdListing(): HeldAnswer;
  stop(): Promise<void>;
}

const path = '/mcp';
const wellKnown = '/.well-known/oauth-protected-resource';
const metadataPaths = { path: `${wellKnown}${path}`, root: wellKnown, nowhere: null };

/** Starts one whose tokens come from these authorization servers, the first of them preferred. */
export async function startProtectedMcpServer(...servers: readonly Pick<AuthorizationServer, 'issuer' | 'introspect'>[]): Promise<ProtectedMcpServer> {
  const requests: McpRequest[] = [];
  const metadataRequests: string[] = [];
  const refusals = newAnswerGates();
  const listings = newAnswerGates();
  let behaviour: ProtectedBehaviour = {
    refusesAll: false,
    metadataAt: 'path',
    namesMetadata: true,
    challengedScope: 'tools',
    challenge: null,
    resource: null,
    offersStream: true,
    alterMetadata: (metadata) => metadata,
    sendsOnTo: null,
    moreTools: 0,
  };

  const sessions = newSessions(() => behaviour.moreTools);

  const server = await startLocalServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const url = `${server.origin}${path}`;
  const resource = () => behaviour.resource ?? url;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== path) {
      answerMetadata(request.url ?? '', response);
      return;
    }
    const body = await text(request);
    const message = body === '' ? null : (JSON.parse(body) as RpcMessage);
    const { method: httpMethod = '', headers } = request;
    const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
    requests.push({ httpMethod, headers, method: message?.method ?? null, token });
    if (token !== null && behaviour.sendsOnTo !== null) return void response.writeHead(307, { location: behaviour.sendsOnTo }).end();
    if (httpMethod === 'GET' && !behaviour.offersStream) return void response.writeHead(405).end();
    const auth = token === null || behaviour.refusesAll ? null : await authOf(token);
    if (auth === null) {
      await refusals.pass(response);
      return void response.writeHead(401, { 'www-authenticate': challenge(token === null ? null : 'invalid_token', behaviour.challengedScope) }).end();
    }
    const scope = message?.method === 'tools/call' && message.params?.name === 'admin' ? 'admin' : 'tools';
    if (!auth.scopes.includes(scope)) await refusals.pass(response);
    if (!auth.scopes.includes(scope)) return void response.writeHead(403, { 'www-authenticate': challenge('insufficient_scope', scope) }).end();
    if (message?.method === 'tools/list') await listings.pass(response);
    await sessions.answer(Object.assign(request, { auth }), response, message);
  }

  function answerMetadata(asked: string, response: ServerResponse): void {
    metadataRequests.push(asked);
    if (asked !== metadataPaths[behaviour.metadataAt]) return void response.writeHead(404).end();
    const metadata = { resource: resource(), authorization_servers: servers.map(({ issuer }) => issuer), scopes_supported: ['tools', 'admin'], bearer_methods_supported: ['header'] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(behaviour.alterMetadata(metadata)));
  }

  /** What the token allows here; null when it is not good, or for somebody else. */
  async function authOf(token: string): Promise<AuthInfo | null> {
    const found = await Promise.all(servers.map((each) => each.introspect(token)));
    const facts = found.find((each) => each?.audience === resource());
    return facts == null ? null : { token, clientId: facts.clientId, scopes: [...facts.scopes], extra: { subject: facts.subject } };
  }

  function challenge(error: string | null, scope: string | null): string {
    const metadata = behaviour.namesMetadata ? metadataPaths[behaviour.metadataAt] : null;
    const parameters = { error, resource_metadata: metadata === null ? null : `${server.origin}${metadata}`, scope };
    const named = Object.entries(parameters).filter(([, value]) => value !== null);
    return behaviour.challenge ?? `Bearer ${named.map(([name, value]) => `${name}="${value}"`).join(', ')}`.trimEnd();
  }

  return {
    url,
    origin: server.origin,
    requests,
    metadataRequests,
    tokensSeen: () => [...new Set(requests.map(({ token }) => token).filter((token) => token !== null))],
    behave: (changes) => void (behaviour = { ...behaviour, ...changes }),
    holdRefusal: refusals.hold,
    holdListing: listings.hold,
    async stop() {
      await sessions.close();
      await server.stop();
    },
  };
}

interface RpcMessage {
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

/** The SDK's transports, one for each session. */
function newSessions(moreTools: () => number) {
  const transports = new Map<string, StreamableHTTPServerTransport>();

  async function newTransport(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    });
    await newMcpServer(moreTools()).connect(transport);
    return transport;
  }

  return {
    async answer(request: IncomingMessage & { auth: AuthInfo }, response: ServerResponse, message: unknown): Promise<void> {
      const id = request.headers['mcp-session-id'];
      const transport = id === undefined ? await newTransport() : transports.get(String(id));
      if (transport === undefined) return void response.writeHead(404).end();
      await transport.handleRequest(request, response, message);
    },
    close: () => Promise.all([...transports.values()].map((transport) => transport.close())),
  };
}

function newMcpServer(moreTools: number): McpServer {
  const server = new McpServer({ name: 'protected', version: '1.0.0' });
  server.registerTool('whoami', { description: 'Says who is asking.' }, ({ authInfo }) => said({ subject: authInfo?.extra?.['subject'], clientId: authInfo?.clientId, scopes: authInfo?.scopes }));
  server.registerTool('admin', { description: 'Needs the scope admin.' }, () => said('done'));
  for (let at = 0; at < moreTools; at += 1) server.registerTool(`more-${at}`, { description: 'x'.repeat(900) }, () => said('done'));
  return server;
}

function said(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}
