import { createHmac } from 'node:crypto';
import type { ToolCallEvent } from '../../events/catalogue/toolCall.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { BuiltInTool } from '../tool.js';
import type { Call } from './call.js';

type AdmittedData = Extract<ToolCallEvent, { type: 'ToolCallAdmitted' }>['data'];

/** What the ledger keeps of a call's arguments: in clear, and in the box of the person it is for. */
export interface Kept {
  readonly data: Pick<AdmittedData, 'parameters' | 'redaction' | 'argumentsDigest' | 'argumentsBytes' | 'channel'>;
  readonly personal: { readonly arguments?: JsonValue };
}

export function keptOfBuiltIn(call: Call, tool: BuiltInTool, valid: boolean): Kept {
  return keptOfUnknown(call);
}
export function keptOfRemote(call: Call, args: JsonObject, schema: JsonObject): Kept {
  return keptOfUnknown(call);
}
export function keptOfUnknown(call: Call): Kept {
  const digest = call.key === null ? null : createHmac('sha256', call.key).update(JSON.stringify(call.request.arguments)).digest('hex');
  return { data: { parameters: {}, redaction: [], argumentsDigest: digest, argumentsBytes: call.arguments.bytes, channel: call.request.channel }, personal: {} };
}
