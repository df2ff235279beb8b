import { LATEST_PROTOCOL_VERSION, McpError, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { lacksText } from '../../../commands/mcpSignIn/narrowAccount.js';
import { durationText } from '../../../platform/time/duration.js';
import { othersNames } from '../../../platform/text/othersNames.js';
import { isJsonObject } from '../../../platform/json.js';
import { netFaultIn, type NetFaultCode } from '../../../platform/net/netFault.js';
import type { RemoteFailureClass } from '../../../tools/remoteTools.js';
import { AccountFault, type CredentialKind } from '../connecting/account.js';
import { RequestFault } from '../connecting/connection.js';
import { NeitherTransport } from '../connecting/eitherTransport.js';
import type { ExchangeEnd } from '../connecting/exchange.js';
import { TooLate } from '../connecting/withinTime.js';
import { cutMessage } from './cutMessage.js';
import { HttpFault, NotMcp, type RpcError } from './httpFault.js';
import { keptWaitMs } from './retryAfter.js';
import { serverWords } from './serverWords.js';

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
 * @param sent what the request was authenticated with: without anything, a server that wants authorization wants a sign-in
 */
export function classify(error: unknown, sent: CredentialKind): Classified {
  if (error instanceof RequestFault) {
    const inner = error.cause === null ? null : classify(error.cause, sent);
    if (error.end === null) return inner ?? classOfEnd.protocol_error;
    return inner !== null && isOwnFault(error.cause) ? inner : classOfEnd[error.end];
  }
  if (error instanceof TooLate) return { class: 'timeout', text: `No working connection within ${error.ms} ms.` };
  if (error instanceof NeitherTransport) return classifyNeither(error, sent);
  const net = netFaultIn(error);
  if (net !== null) return { class: classOfNet[net.code], text: net.message };
  if (error instanceof HttpFault) return classifyHttp(error, sent);
  if (error instanceof NotMcp) {
    return { class: 'not_mcp', text: `The answer is not MCP (${error.message}). Is the path of the URL right?` };
  }
  if (error instanceof AccountFault) return { class: error.reason, text: error.message };
  if (error instanceof McpError) return classifyRpc(error);
  const endpoint = error instanceof Error ? foreignEndpoint.exec(error.message)?.[1] : undefined;
  if (endpoint !== undefined) return { class: 'protocol_error', text: `The server names an endpoint at another origin (${endpoint}), which is refused.` };
  const version = error instanceof Error ? unknownVersion.exec(error.message)?.[1] : undefined;
  if (version !== undefined) return otherVersion([version]);
  return classOfEnd.protocol_error;
}

/** How the SDK puts it that the event stream of the legacy transport leads elsewhere. */
const foreignEndpoint = /^Endpoint origin does not match connection origin: (.{1,200})$/;

/** How the SDK puts it that the server answered the handshake with a revision it does not speak. */
const unknownVersion = /protocol version is not supported: (.*)$/s;

function isOwnFault(error: unknown): boolean {
  return netFaultIn(error) !== null || error instanceof AccountFault || error instanceof HttpFault || error instanceof NotMcp;
}

/** The transport that was tried last says more: the first one only said that it is not there. */
function classifyNeither({ failures }: NeitherTransport, sent: CredentialKind): Classified {
  const present = classify(failures.streamable_http, sent);
  const legacy = classify(failures.legacy_sse, sent);
  const last = present.class === 'not_mcp' ? legacy : present;
  return { class: last.class, text: `Over Streamable HTTP: ${present.text} Over HTTP with SSE: ${legacy.text}` };
}

/** How long the server asked to wait when it refused, in milliseconds; null when it did not say. */
export function retryAfterIn(error: unknown): number | null {
  if (error instanceof NeitherTransport) return retryAfterIn(error.failures.legacy_sse) ?? retryAfterIn(error.failures.streamable_http);
  const cause = error instanceof RequestFault ? error.cause : error;
  return cause instanceof HttpFault && cause.retryAfterMs !== null ? keptWaitMs(cause.retryAfterMs) : null;
}

/** What an account that is good lacks, as the server says; none where that is not what is wrong. */
export function scopesMissingIn(error: unknown): readonly string[] {
  if (error instanceof NeitherTransport) {
    const missing = scopesMissingIn(error.failures.streamable_http);
    return missing.length > 0 ? missing : scopesMissingIn(error.failures.legacy_sse);
  }
  const cause = error instanceof RequestFault ? error.cause : error;
  return cause instanceof HttpFault ? (cause.scopesMissing ?? []) : [];
}

/** The newest revision of the protocol that the SDK speaks. */
const newestKnown = LATEST_PROTOCOL_VERSION;

/** How revisions are named. */
const revision = /^\d{4}-\d{2}-\d{2}$/;

/** Most revisions of a server that are named. */
const mostVersions = 10;

function classifyHttp({ status, rpc, retryAfterMs, scopesMissing }: HttpFault, sent: CredentialKind): Classified {
  const versions = rpc === null ? null : versionsIn(rpc);
  if (versions !== null) return otherVersion(versions);
  const answered = `It answered HTTP ${status}.`;
  const words = serverWords(rpc?.message ?? '');
  if (status === 401 || status === 403) {
    return unauthorized(status, scopesMissing, sent);
  }
  if (status === 429) return { class: 'rate_limited', text: `${answered} ${waitText(retryAfterMs)}${words}` };
  if (status >= 500) return { class: 'server_error', text: answered + words };
  return { class: 'not_mcp', text: `${answered} Is the path of the URL right?${words}` };
}

function unauthorized(status: number, scopesMissing: readonly string[] | null, sent: CredentialKind): Classified {
  switch (sent) {
    case 'none':
      return { class: 'needs_sign_in', text: `The server wants a sign-in or a token (HTTP ${status}) and has none.` };
    case 'token':
      return { class: 'unauthorized', text: `The token was not accepted (HTTP ${status}).` };
    case 'account':
      if (scopesMissing !== null) return { class: 'needs_reauthorization', text: narrowText(scopesMissing) };
      if (status === 401) return { class: 'needs_reauthorization', text: 'The account that was signed in is not accepted any more (HTTP 401).' };
      return { class: 'unauthorized', text: 'The account that was signed in may not do this (HTTP 403).' };
  }
}

/** Longest list of scopes, in UTF-16 code units. */
const mostOfScopes = 150;

function narrowText(missing: readonly string[]): string {
  return `The account that was signed in is ${lacksText(cutMessage(othersNames(missing), mostOfScopes))}.`;
}

/** How long to wait, and what was asked for where that is more than is kept to. */
function waitText(askedMs: number | null): string {
  if (askedMs === null) return 'It does not say for how long to wait.';
  const asked = `It asks to wait ${durationText(askedMs)} before the next try`;
  const kept = keptWaitMs(askedMs);
  return kept === askedMs ? `${asked}.` : `${asked}; this program keeps to at most ${durationText(kept)}.`;
}

function classifyRpc(error: McpError): Classified {
  const said = { code: error.code, message: rpcText(error), data: error.data };
  const versions = versionsIn(said);
  return versions === null ? { class: 'protocol_error', text: `It answered with error ${said.code}.${serverWords(said.message)}` } : otherVersion(versions);
}

/** The revisions that a JSON-RPC error says the server speaks; null when that is not what it is about. */
function versionsIn({ code, data }: RpcError): readonly string[] | null {
  const given = isJsonObject(data) && Array.isArray(data['supported']) ? (data['supported'] as readonly unknown[]) : [];
  const named = given.filter((version) => typeof version === 'string').slice(0, mostVersions);
  return named.length > 0 || code === unsupportedVersion ? named : null;
}

/** @param versions what the server speaks, in its own words; none when it only says that it is not ours */
function otherVersion(versions: readonly string[]): Classified {
  const ours = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  const theirs = serverWords(versions.join(', '));
  if (versions.length === 0 || versions.every((version) => revision.test(version) && version > newestKnown)) {
    return { class: 'needs_newer_client', text: `The server only speaks a newer revision of MCP than this client, which speaks ${ours}.${theirs}` };
  }
  return { class: 'protocol_error', text: `The server answered with a revision of MCP that this client does not speak (this client speaks ${ours}). Ask whoever runs the server to update it.${theirs}` };
}

/** The server's own words: the SDK puts the code in front of them. */
export function rpcText(error: McpError): string {
  return error.message.replace(/^MCP error -?\d+: /, '');
}
