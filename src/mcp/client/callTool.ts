import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { doWithout } from '../../commands/mcpSignIn/narrowAccount.js';
import { remedyOf } from '../../commands/mcpServers/remedies.js';
import type { JsonObject } from '../../platform/json.js';
import type { RemoteCallOptions, RemoteFailureClass, RemoteOutcome } from '../../tools/remoteTools.js';
import { netFaultIn } from '../../platform/net/netFault.js';
import { AccountFault, credentialKind, type CredentialKind, type ServerTarget } from './connecting/account.js';
import { secretsOf } from './connecting/secretsOf.js';
import { RequestFault, type Connection } from './connecting/connection.js';
import { classify, rpcText } from './failures/errorClass.js';
import { HttpFault } from './failures/httpFault.js';
import { serverWords } from './failures/serverWords.js';
import { passProgress } from './results/passProgress.js';
import { readResult } from './results/readResult.js';
import { safeOutcome } from './results/safeOutcome.js';

/** JSON-RPC errors that have a name of their own; all others are `json_rpc_error`. `internal_error` would be a failure of ours. */
const rpcCodes: ReadonlyMap<number, string> = new Map([
  [-32700, 'parse_error'],
  [-32600, 'invalid_request'],
  [-32601, 'method_not_found'],
  [-32602, 'invalid_params'],
  [-32603, 'server_internal_error'],
  [-32002, 'resource_not_found'],
  [-32042, 'url_elicitation_required'],
]);

/** What became of a call, and whether the connection is still good for the next one. */
export interface CalledTool {
  readonly outcome: RemoteOutcome;
  readonly healthy: boolean;
}

/** The connection a call goes over, and what is secret about it. */
export interface CallLink {
  readonly connection: Connection;
  readonly target: ServerTarget;
}

/** Calls a tool once; what comes back is safe to hand out. Never throws. */
export async function callTool({ connection, target }: CallLink, name: string, args: JsonObject, options: RemoteCallOptions): Promise<CalledTool> {
  const { timeoutMs, signal, onProgress, outputSchema } = options;
  const progress = onProgress === undefined ? {} : { onProgress: passProgress(onProgress, () => secretsOf(target)) };
  try {
    const result = await connection.request('tools/call', { name, arguments: args }, { timeoutMs, signal, ...progress });
    const outcome = safeOutcome(readResult(result, outputSchema), secretsOf(target));
    return { outcome, healthy: outcome.kind !== 'unknown' };
  } catch (error) {
    const { outcome, healthy } = failed(error, credentialKind(target));
    return { outcome: safeOutcome(outcome, secretsOf(target)), healthy };
  }
}

function failed(error: unknown, sent: CredentialKind): CalledTool {
  const { class: failure, text } = classify(error, sent);
  const fault = error instanceof RequestFault ? error : new RequestFault(true, null, error);
  const isNarrow = sent === 'account' && fault.cause instanceof HttpFault && fault.cause.scopesMissing !== null;
  const message = [text, remedyOf(failure, sent === 'account'), isNarrow ? doWithout : null].filter((part) => part !== null).join(' ');
  if (!fault.sent) return { outcome: { kind: 'notSent', class: failure, message }, healthy: fault.end === 'cancelled' };
  if (fault.end !== null) {
    return { outcome: { kind: 'unknown', cause: fault.end, message }, healthy: fault.end === 'cancelled' };
  }
  if (fault.cause instanceof McpError) {
    const { code } = fault.cause;
    return { outcome: { kind: 'rejected', code: rpcCodes.get(code) ?? 'json_rpc_error', message: `The server answered with error ${code}.${serverWords(rpcText(fault.cause))}` }, healthy: true };
  }
  const refusal = refusalCode(fault.cause, failure);
  if (refusal !== null) return { outcome: { kind: 'rejected', code: refusal, message }, healthy: false };
  return { outcome: { kind: 'unknown', cause: causeOf(failure), message }, healthy: false };
}

/** Why nobody knows what became of a call, by what its failure is. */
function causeOf(failure: RemoteFailureClass): (RemoteOutcome & { readonly kind: 'unknown' })['cause'] {
  if (failure === 'unreachable' || failure === 'timeout') return 'connection_lost';
  return failure === 'server_error' || failure === 'not_mcp' ? failure : 'protocol_error';
}

/** An HTTP answer that says the call was not taken; a 5xx does not say that, somebody in between may have given up. */
function refusalCode(cause: unknown, failure: string): string | null {
  // The server refused the token; whether there is another could not be found out.
  if (netFaultIn(cause)?.code === 'redirect_refused' || cause instanceof AccountFault) return failure;
  if (!(cause instanceof HttpFault) || (cause.status >= 500 && cause.rpc === null)) return null;
  if (cause.status === 404 && cause.inSession) return 'session_expired';
  if (cause.rpc !== null && failure === 'not_mcp') return rpcCodes.get(cause.rpc.code) ?? 'json_rpc_error';
  return failure === 'not_mcp' ? 'http_error' : failure;
}
