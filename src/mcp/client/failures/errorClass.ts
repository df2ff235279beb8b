import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { netFaultIn, type NetFaultCode } from '../../../platform/net/netFault.js';
import type { RemoteFailureClass } from '../../../tools/remoteTools.js';
import { RequestFault } from '../connecting/connection.js';
import { NeitherTransport } from '../connecting/eitherTransport.js';
import type { ExchangeEnd } from '../connecting/exchange.js';
import { TooLate } from '../connecting/withinTime.js';
import { HttpFault, NotMcp } from './httpFault.js';

/** What a failure is, and what to say of it; the text may hold a server's own words and is not yet safe to show. */
export interface Classified {
  readonly class: RemoteFailureClass;
  readonly text: string;
}

/** JSON-RPC error of servers that only speak a newer revision of the protocol. */
const unsupportedVersion = -32022;

const classOfNet: Readonly<Record<NetFaultCode, RemoteFailureClass>> = {
  invalid_url: 'blocked_address',
  blocked_address: 'blocked_address',
  other_origin: 'blocked_address',
  redirect_refused: 'redirect_refused',
  response_too_large: 'response_too_large',
  dns_failed: 'unreachable',
  connect_failed: 'unreachable',
  connect_timeout: 'timeout',
  tls_failed: 'unreachable',
  header_timeout: 'timeout',
  body_timeout: 'timeout',
  total_timeout: 'timeout',
  connection_lost: 'unreachable',
  aborted: 'unreachable',
};

const classOfEnd: Readonly<Record<ExchangeEnd, Classified>> = {
  timeout: { class: 'timeout', text: 'No answer within the time allowed.' },
  cancelled: { class: 'cancelled', text: 'The wait was given up.' },
  connection_lost: { class: 'unreachable', text: 'The connection broke before an answer came.' },
  protocol_error: { class: 'protocol_error', text: 'What came back is no answer to what was asked.' },
};

/**
 * Says what a failed attempt to reach a server, or a failed request to it, was.
 * @param hasToken whether a token was sent: without one, a server that wants authorization wants a sign-in
 */
export function classify(error: unknown, hasToken: boolean): Classified {
  if (error instanceof RequestFault) {
    const inner = error.cause === null ? null : classify(error.cause, hasToken);
    if (error.end === null) return inner ?? classOfEnd.protocol_error;
    return inner !== null && isOwnFault(error.cause) ? inner : classOfEnd[error.end];
  }
  if (error instanceof TooLate) return { class: 'timeout', text: `No working connection within ${error.ms} ms.` };
  if (error instanceof NeitherTransport) return classifyNeither(error, hasToken);
  const net = netFaultIn(error);
  if (net !== null) return { class: classOfNet[net.code], text: net.message };
  if (error instanceof HttpFault) return classifyHttp(error, hasToken);
  if (error instanceof NotMcp) {
    return { class: 'not_mcp', text: `The answer is not MCP (${error.message}). Is the path of the URL right?` };
  }
  if (error instanceof McpError) return classifyRpc(error.code, rpcText(error));
  const endpoint = error instanceof Error ? foreignEndpoint.exec(error.message)?.[1] : undefined;
  if (endpoint !== undefined) return { class: 'protocol_error', text: `The server names an endpoint at another origin (${endpoint}), which is refused.` };
  const newer = error instanceof Error ? /protocol version is not supported: (\d{4}-\d{2}-\d{2})$/.exec(error.message)?.[1] : undefined;
  if (newer !== undefined && newer > newestKnown) return needsNewer(newer);
  return classOfEnd.protocol_error;
}

/** How the SDK puts it that the event stream of the legacy transport leads elsewhere. */
const foreignEndpoint = /^Endpoint origin does not match connection origin: (.{1,200})$/;

function isOwnFault(error: unknown): boolean {
  return netFaultIn(error) !== null || error instanceof HttpFault || error instanceof NotMcp;
}

/** The transport that was tried last says more: the first one only said that it is not there. */
function classifyNeither({ failures }: NeitherTransport, hasToken: boolean): Classified {
  const present = classify(failures.streamable_http, hasToken);
  const legacy = classify(failures.legacy_sse, hasToken);
  const last = present.class === 'not_mcp' ? legacy : present;
  return { class: last.class, text: `Over Streamable HTTP: ${present.text} Over HTTP with SSE: ${legacy.text}` };
}

/** How long the server asked to wait when it refused, in milliseconds; null when it did not say. */
export function retryAfterIn(error: unknown): number | null {
  if (error instanceof NeitherTransport) return retryAfterIn(error.failures.legacy_sse) ?? retryAfterIn(error.failures.streamable_http);
  const cause = error instanceof RequestFault ? error.cause : error;
  return cause instanceof HttpFault ? cause.retryAfterMs : null;
}

/** The newest revision of the protocol that the SDK speaks. */
const newestKnown = '2025-11-25';

function classifyHttp({ status, rpcCode, excerpt }: HttpFault, hasToken: boolean): Classified {
  if (rpcCode === unsupportedVersion) return needsNewer(excerpt);
  const said = excerpt === '' ? `It answered HTTP ${status}.` : `It answered HTTP ${status}: ${excerpt}`;
  if (status === 401 || status === 403) {
    return hasToken
      ? { class: 'unauthorized', text: `The token was not accepted (HTTP ${status}). Set a valid one.` }
      : { class: 'needs_sign_in', text: `The server wants authorization (HTTP ${status}) and no token is set. Set one or sign in.` };
  }
  if (status === 429) return { class: 'rate_limited', text: `${said} Wait before trying again.` };
  if (status >= 500) return { class: 'server_error', text: said };
  return { class: 'not_mcp', text: `${said} Is the path of the URL right?` };
}

function classifyRpc(code: number, text: string): Classified {
  return code === unsupportedVersion ? needsNewer(text) : { class: 'protocol_error', text: `It answered with error ${code}: ${text}` };
}

function needsNewer(said: string): Classified {
  return { class: 'needs_newer_client', text: `The server only speaks a newer revision of MCP than this client (up to ${newestKnown}): ${said}` };
}

/** The server's own words: the SDK puts the code in front of them. */
export function rpcText(error: McpError): string {
  return error.message.replace(/^MCP error -?\d+: /, '');
}
