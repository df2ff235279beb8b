import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { RemoteContent, RemoteOutcome } from '../../tools/remoteTools.js';
import { netFaultIn } from '../../platform/net/netFault.js';
import { RequestFault, type Connection, type RequestOptions } from './connecting/connection.js';
import { classify, rpcText } from './failures/errorClass.js';
import { HttpFault } from './failures/httpFault.js';

/** JSON-RPC errors that have a name of their own; all others are `json_rpc_error`. */
const rpcCodes: ReadonlyMap<number, string> = new Map([
  [-32700, 'parse_error'],
  [-32600, 'invalid_request'],
  [-32601, 'method_not_found'],
  [-32602, 'invalid_params'],
  [-32603, 'internal_error'],
  [-32002, 'resource_not_found'],
  [-32042, 'url_elicitation_required'],
]);

/** What became of a call, and whether the connection is still good for the next one. */
export interface CalledTool {
  readonly outcome: RemoteOutcome;
  readonly healthy: boolean;
}

/**
 * Calls a tool once. Messages in the outcome may hold the server's own words and are not yet safe to show.
 * Never throws.
 */
export async function callTool(connection: Connection, name: string, args: JsonObject, options: RequestOptions, hasToken: boolean): Promise<CalledTool> {
  try {
    const result = await connection.request('tools/call', { name, arguments: args }, options);
    const outcome = outcomeOf(result);
    return { outcome, healthy: outcome.kind === 'answered' };
  } catch (error) {
    return failed(error, hasToken);
  }
}

function failed(error: unknown, hasToken: boolean): CalledTool {
  const { class: failure, text: message } = classify(error, hasToken);
  const fault = error instanceof RequestFault ? error : new RequestFault(true, null, error);
  if (!fault.sent) return { outcome: { kind: 'notSent', class: failure, message }, healthy: fault.end === 'cancelled' };
  if (fault.end !== null) {
    return { outcome: { kind: 'unknown', cause: fault.end, message }, healthy: fault.end === 'cancelled' };
  }
  if (fault.cause instanceof McpError) {
    const { code } = fault.cause;
    return { outcome: { kind: 'rejected', code: rpcCodes.get(code) ?? 'json_rpc_error', message: `The server answered with error ${code}: ${rpcText(fault.cause)}` }, healthy: true };
  }
  const refusal = refusalCode(fault.cause, failure);
  if (refusal !== null) return { outcome: { kind: 'rejected', code: refusal, message }, healthy: false };
  return { outcome: { kind: 'unknown', cause: failure === 'unreachable' || failure === 'timeout' ? 'connection_lost' : 'protocol_error', message }, healthy: false };
}

/** An HTTP answer that says the call was not taken; a 5xx does not say that, somebody in between may have given up. */
function refusalCode(cause: unknown, failure: string): string | null {
  if (netFaultIn(cause)?.code === 'redirect_refused') return failure;
  if (!(cause instanceof HttpFault) || (cause.status >= 500 && cause.rpcCode === null)) return null;
  if (cause.status === 404 && cause.inSession) return 'session_expired';
  if (cause.rpcCode !== null && failure === 'not_mcp') return rpcCodes.get(cause.rpcCode) ?? 'json_rpc_error';
  return failure === 'not_mcp' ? 'http_error' : failure;
}

function outcomeOf(result: unknown): RemoteOutcome {
  const unusable = (message: string): RemoteOutcome => ({ kind: 'unknown', cause: 'protocol_error', message });
  if (!isObject(result)) return unusable('The result is not an object.');
  const { content, structuredContent, isError, task, resultType } = result;
  if (isObject(task)) return unusable('The server started a task instead of answering, which is not supported. It may still run there.');
  if (resultType !== undefined && resultType !== 'complete') {
    return unusable('The server wants more input before it answers, which is not supported.');
  }
  if (content !== undefined && !Array.isArray(content)) return unusable('The content of the result is not a list.');
  const parts = (content as readonly JsonValue[] | undefined) ?? [];
  const structured = isObject(structuredContent) ? structuredContent : null;
  const odd = structuredContent === undefined || structuredContent === null || structured !== null ? [] : [structuredContent];
  return { kind: 'answered', isError: isError === true, content: [...parts, ...odd].map(asPart), structured };
}

/** Kinds we do not know stay as they came; what is no content part at all is kept inside one. */
function asPart(value: JsonValue): RemoteContent {
  return isObject(value) ? value : { type: 'unsupported', value };
}

/** What came over the wire was made by `JSON.parse`, so an object in it holds JSON only. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
