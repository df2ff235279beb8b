import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../../../platform/json.js';
import { authorizationLimits, mcpPolicy } from '../../../../platform/net/connectorPolicy.js';
import { makeGuardedFetch, type GuardedFetch } from '../../../../platform/net/guardedFetch.js';
import { reachOf } from '../../serverUrl.js';
import { AuthorizationFault, faultOfNetwork } from '../authorizationFault.js';
import type { AuthorizationParts, SignInTarget } from '../authorizationFetch.js';
import { bearerChallenge, type BearerChallenge } from './challenge.js';
import { negotiatedVersion } from './negotiatedVersion.js';

/** How a server answered who came without a credential. */
export interface Asked {
  /** Whether it refused; one that did not may still offer a sign-in. */
  readonly refused: boolean;
  readonly challenge: BearerChallenge | null;
}

/**
 * Asks an MCP server without any credential, to hear how to sign in (MCP 2025-11-25, authorization, "Protected Resource
 * Metadata Discovery Requirements"). One of the transport of 2024-11-05 takes no POST, so it is asked by the GET that opens its stream.
 * @throws AuthorizationFault `server_unreachable`, `blocked_address` or `response_too_large`
 */
export async function askForChallenge(target: SignInTarget, parts: AuthorizationParts, signal: AbortSignal): Promise<Asked> {
  const { origin } = new URL(target.url);
  const policy = mcpPolicy({ origin, token: () => null, reach: reachOf(target.workspace, parts.localReach), limits: parts.limits ?? authorizationLimits });
  const guarded = makeGuardedFetch({ policy, resolve: parts.resolve, userAgent: `toolledger/${parts.version}` });
  try {
    const answer = await begin(guarded, target.url, parts.version, signal);
    if (isRefusal(answer)) return { refused: true, challenge: bearerChallenge(answer.headers.get('www-authenticate')) };
    if (answer.ok) return { refused: false, challenge: null };
    throw new AuthorizationFault('server_unreachable', `The server ${origin} answered HTTP ${answer.status} when it was asked how to sign in. Is the path of its URL right?`);
  } catch (error) {
    const fault = faultOfNetwork(error, 'server_unreachable', `The server ${origin} could not be asked how to sign in`);
    // A redirect of the server itself says nothing of metadata.
    throw fault instanceof AuthorizationFault && fault.code === 'metadata_unusable' ? new AuthorizationFault('server_unreachable', fault.message) : fault;
  } finally {
    await guarded.close();
  }
}

/**
 * Begins as a client does, up to the list of tools: many servers let anybody open a session and refuse only then. One
 * that was opened is given back.
 * @returns the first refusal, else how it answered the first request
 */
async function begin(guarded: GuardedFetch, url: string, version: string, signal: AbortSignal): Promise<Response> {
  const opened = await guarded.fetch(url, posting(opening(version), {}), { signal });
  const session = sessionOf(opened, await negotiatedVersion(opened));
  if ([400, 404, 405].includes(opened.status)) return ask(guarded, url, stream, signal);
  if (!opened.ok) return opened;
  try {
    for (const message of [initialized, listing]) {
      const answer = await ask(guarded, url, posting(message, session), signal);
      if (isRefusal(answer)) return answer;
    }
    return opened;
  } finally {
    if ('mcp-session-id' in session) await ask(guarded, url, { method: 'DELETE', headers: session }, signal).catch(() => undefined);
  }
}

type Headers = Readonly<Record<string, string>>;

/** What every request after the first carries (MCP 2025-11-25, Streamable HTTP, "Session Management" and "Protocol Version Header"). */
function sessionOf(opened: Response, version: string | null): Headers {
  const session = opened.headers.get('mcp-session-id');
  return { ...(session !== null && { 'mcp-session-id': session }), ...(version !== null && { 'mcp-protocol-version': version }) };
}

/** Only the head of an answer matters. */
async function ask(guarded: GuardedFetch, url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  const response = await guarded.fetch(url, init, { signal });
  await response.body?.cancel();
  return response;
}

function isRefusal({ status }: Response): boolean {
  return status === 401 || status === 403;
}

const stream: RequestInit = { headers: { accept: 'text/event-stream' } };

function posting(message: JsonObject, session: Headers): RequestInit {
  return {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...session },
    body: JSON.stringify(message),
  };
}

function opening(version: string): JsonObject {
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo: { name: 'toolledger', version } };
  return { jsonrpc: '2.0', id: 0, method: 'initialize', params };
}

const initialized: JsonObject = { jsonrpc: '2.0', method: 'notifications/initialized' };
const listing: JsonObject = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
