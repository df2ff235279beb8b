import { ContentBlockSchema, type CallToolResult, type ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import type { CallAnswer, CallStatus } from '../../tools/call.js';

/** Where the stored id of a call stands in requests and results. */
export const callIdMeta = 'toolledger/callId';

/** Where the MCP server stands that a tool, or a result, is of. */
export const thirdPartyMeta = 'toolledger/thirdParty';

const said: Record<CallStatus, string> = {
  succeeded: 'succeeded',
  failed: 'failed',
  refused: 'was refused',
  cancelled: 'was cancelled',
  unknown: 'was sent, and its outcome is unknown',
  in_progress: 'is still running',
};

/**
 * A call's answer as an MCP result. A success carries the data; anything else is an error result whose text names
 * call id, reason codes and message. The call id stands in `_meta` of both.
 */
export function callResult(answer: CallAnswer): CallToolResult {
  const _meta = {
    [callIdMeta]: answer.callId,
    'toolledger/status': answer.status,
    ...(answer.thirdParty !== undefined && { [thirdPartyMeta]: answer.thirdParty }),
    ...(answer.replayed && { 'toolledger/replayed': true }),
    ...(answer.settled !== undefined && { 'toolledger/settledBy': answer.settled }),
    ...(answer.unrecorded && { 'toolledger/unrecorded': true }),
  };
  const content = (answer.content ?? []).map(contentBlock);
  if (!answer.success) {
    const structuredContent = { callId: answer.callId, status: answer.status, error: answer.error ?? null };
    return { isError: true, content: [text(explain(answer)), ...content], structuredContent, _meta };
  }
  const data = answer.data ?? null;
  const json = typeof data === 'string' ? data : jsonText(data);
  return {
    content: content.length > 0 ? content : [text(json ?? 'The result is nested too deeply to be sent.')],
    ...(isJsonObject(data) && json !== null && { structuredContent: { ...data } }),
    _meta,
  };
}

function explain({ callId, status, error }: CallAnswer): string {
  if (error === undefined) return `Call ${callId} ${said[status]}.`;
  const reasons = error.reasons ?? [];
  const codes = [error.code, ...reasons.filter((reason) => reason !== error.code)].join(', ');
  return `Call ${callId} ${said[status]} (${codes}): ${error.message}`;
}

/** A part as the server sent it; one that MCP's version here does not know is shown as text. */
function contentBlock(part: JsonValue): ContentBlock {
  const known = ContentBlockSchema.safeParse(part);
  return known.success ? known.data : text(jsonText(part) ?? 'A part of the result is nested too deeply to be sent.');
}

function text(content: string): ContentBlock {
  return { type: 'text', text: content };
}

function jsonText(value: JsonValue): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}
