import { ErrorCode, McpError, type CallToolRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { JsonObject } from '../../platform/json.js';
import type { CallRequest } from '../../tools/call.js';
import { callIdMeta } from './callResult.js';

const turnMeta = 'toolledger/turn';
const givenId = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * `tools/call` as the client wrote it. The SDK checks it against its own schema before the handler runs, and would
 * hand over a copy made by that schema.
 */
export const callToolRequest = z.object({ method: z.literal('tools/call'), params: z.custom<CallToolRequest['params']>() });

/**
 * What a client asks to have called. Of `_meta` only the call id and the turn are read; a call without a turn belongs
 * to its session, so that it can be told what that was shown.
 * @throws McpError `InvalidParams`
 */
export function callRequest({ params }: z.output<typeof callToolRequest>, workspace: string, sessionTurn: string | null): CallRequest {
  return {
    tool: params.name,
    // It came out of JSON.parse.
    arguments: (params.arguments ?? {}) as JsonObject,
    workspace,
    callId: idFrom(params._meta, callIdMeta),
    channel: null,
    roles: [],
    turn: idFrom(params._meta, turnMeta) ?? sessionTurn,
  };
}

function idFrom(meta: Record<string, unknown> | undefined, name: string): string | null {
  const value = meta?.[name];
  if (value === undefined) return null;
  if (typeof value === 'string' && givenId.test(value)) return value;
  throw new McpError(ErrorCode.InvalidParams, `_meta["${name}"] must be 1 to 128 characters of A-Z a-z 0-9 . _ : -`);
}
