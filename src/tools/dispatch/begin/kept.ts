import type { RedactionNote, ToolCallEvent } from '../../../events/catalogue/toolCall.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { argumentsDigest } from '../../redaction/digests.js';
import { redactBuiltIn } from '../../redaction/redactBuiltIn.js';
import { redactRemote } from '../../redaction/redactRemote.js';
import { redactUnknownTool } from '../../redaction/redactUnknownTool.js';
import type { BuiltInTool } from '../../tool.js';
import type { Call } from './call.js';

/** Below this, arguments always fit into an append; above it, what is kept of them is measured. */
const smallBytes = 64 * 1024;
/** Most bytes of JSON text that are kept of arguments, so that sealed and encoded they fit into an append. */
const maxKeptBytes = 512 * 1024;

type KeptData = Pick<
  Extract<ToolCallEvent, { type: 'ToolCallAdmitted' }>['data'],
  'parameters' | 'redaction' | 'argumentsDigest' | 'argumentsBytes' | 'channel'
>;

/** What the ledger keeps of a call's arguments: in clear, and in the box of the person it is for. */
export interface Kept {
  readonly data: KeptData;
  readonly personal: { readonly arguments?: JsonValue };
}

/** What a built-in tool's statements allow. @param valid whether the arguments passed the tool's own validation */
export function keptOfBuiltIn(call: Call, tool: BuiltInTool, args: JsonObject, valid: boolean): Kept {
  const { parameters, personal, notes } = redactBuiltIn(tool.ledger, args, { valid, subjectKey: call.key });
  return kept(call, notes, parameters, personal);
}

/** The arguments of a remote tool without secrets. @param schema names the keys that are not values themselves */
export function keptOfRemote(call: Call, args: JsonObject, schema: JsonObject): Kept {
  const { personal, notes } = redactRemote(args, schema);
  return kept(call, notes, {}, personal);
}

/** Of the arguments of a tool that nobody knows only the size is kept; its name, which is not kept in clear, is part of the digest. */
export function keptOfUnknownTool(call: Call): Kept {
  const { tool, arguments: args } = call.request;
  return kept(call, redactUnknownTool(args).notes, {}, undefined, [tool, args]);
}

/** Of arguments that are no object, or over a limit, only the size is kept. */
export function keptOfBadArguments(call: Call): Kept {
  return kept(call, [{ path: '', rule: 'unreadable_arguments' }], {}, undefined);
}

function kept(
  call: Call,
  notes: readonly RedactionNote[],
  parameters: JsonObject,
  personal: JsonObject | undefined,
  digested: JsonValue = call.request.arguments,
): Kept {
  const digest = call.key === null ? null : argumentsDigest(call.key, digested);
  const size = { argumentsDigest: digest, argumentsBytes: call.arguments.bytes, channel: call.request.channel };
  if (call.arguments.bytes > smallBytes && Buffer.byteLength(JSON.stringify([parameters, personal, notes])) > maxKeptBytes) {
    return { data: { parameters: {}, redaction: [{ path: '', rule: 'too_large' }], ...size }, personal: {} };
  }
  return { data: { parameters: { ...parameters }, redaction: [...notes], ...size }, personal: personal === undefined ? {} : { arguments: personal } };
}
