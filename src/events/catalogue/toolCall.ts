import { z } from 'zod';
import type { JsonObject } from '../../platform/json.js';
import { eventType, type EventOf } from './eventType.js';
import { jsonObject, jsonValue } from './jsonValue.js';
import { code, guildChannel, sha256Hex, serverId, toolName } from './words.js';

/** Where a call goes: to a built-in tool, or to a tool of a registered MCP server; with the definition it was judged on. */
const route = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('builtin'),
    /** Null in calls that were recorded before definitions of built-in tools were. */
    definition: sha256Hex.nullable(),
  }),
  z.strictObject({
    kind: z.literal('mcp'),
    serverId,
    serverName: z.string(),
    /** The name the server itself uses, when it is not the name the model sees. */
    remoteName: z.string().nullable(),
    definition: sha256Hex,
  }),
]);

/** Of version 1, where the route to a built-in tool named no definition. */
function withDefinition(content: JsonObject): JsonObject {
  const { route: to } = content as { readonly route: JsonObject | null };
  return to?.['kind'] === 'builtin' ? { ...content, route: { ...to, definition: null } } : content;
}

/** What version 2 takes as version 1 had it. */
const asBefore = (content: JsonObject): JsonObject => content;

/** What a redaction rule did: where (keys not in the tool's schema appear as `*`), and which rule. */
const redaction = z.array(z.strictObject({ path: z.string(), rule: z.string() })).readonly();

/** What the ledger keeps of the arguments, in clear. */
const keptArguments = {
  /** Clear values of classified parameters of built-in tools; empty for remote ones. */
  parameters: jsonObject,
  redaction,
  /** HMAC-SHA-256 of the canonical arguments, keyed from the person's key; null when they were not readable. */
  argumentsDigest: sha256Hex.nullable(),
  /** Size of the arguments as JSON text, in bytes. */
  argumentsBytes: z.int().nonnegative(),
  /** Guild channel the call was made from. */
  channel: guildChannel.nullable(),
};

/** Revisions of the streams the call was judged on; null: the stream was empty. */
const basis = z.strictObject({
  workspace: z.int().nonnegative().nullable(),
  settings: z.int().nonnegative().nullable(),
  servers: z.int().nonnegative().nullable(),
});

/** What kind of answer came, without its text. */
const resultShape = z.strictObject({
  /** Size of the whole result as JSON text, in bytes. */
  bytes: z.int().nonnegative(),
  /** Content kinds in it, e.g. `text`, `image`, `structured`. */
  kinds: z.array(z.string()).readonly(),
  /** Whether the preview was cut. */
  previewCut: z.boolean(),
  redaction,
});

const durationMs = z.int().nonnegative();

/** The call passed every gate; durable before anything is sent or changed. */
const toolCallAdmitted = eventType({
  name: 'ToolCallAdmitted',
  version: 2,
  upcasters: [withDefinition],
  personalUpcasters: [asBefore],
  data: z.strictObject({
    tool: toolName,
    route,
    ...keptArguments,
    /** When the run is given up, milliseconds since the epoch (caller's clock). */
    deadline: z.int().nonnegative(),
    basis,
  }),
  personal: z.strictObject({
    /** Personal parameters of a built-in tool, or the scrubbed arguments of a remote one. */
    arguments: jsonValue.optional(),
  }),
});

/** The call was judged and not let through. */
const toolCallRefused = eventType({
  name: 'ToolCallRefused',
  version: 2,
  upcasters: [withDefinition],
  personalUpcasters: [asBefore],
  data: z.strictObject({
    /** Null when no such tool is known: the name given is then a personal value. */
    tool: toolName.nullable(),
    route: route.nullable(),
    reasons: z.array(code).min(1).readonly(),
    ...keptArguments,
    basis,
    /** The stored call whose id was given again for something else. */
    conflictsWith: z.string().nullable(),
  }),
  personal: z.strictObject({
    toolName: z.string().optional(),
    arguments: jsonValue.optional(),
    /** What was said to the caller, beyond the reason codes. */
    detail: z.string().optional(),
  }),
});

/** An answer arrived and the tool says it worked. */
const toolCallSucceeded = eventType({
  name: 'ToolCallSucceeded',
  data: z.strictObject({ durationMs, result: resultShape }),
  personal: z.strictObject({ preview: z.string() }),
});

/** An answer arrived and it is a failure, or a gate closed before anything was sent. */
const toolCallFailed = eventType({
  name: 'ToolCallFailed',
  data: z.strictObject({
    durationMs,
    /** Whose failure it is. */
    party: z.enum(['tool', 'server', 'guard', 'arguments']),
    code,
    result: resultShape.nullable(),
  }),
  personal: z.strictObject({ error: z.string(), preview: z.string().optional() }),
});

/** The caller gave up while provably nothing had been sent, or the tool confirmed that it stopped. */
const toolCallCancelled = eventType({
  name: 'ToolCallCancelled',
  data: z.strictObject({ durationMs, by: z.enum(['caller', 'shutdown']) }),
  personal: null,
});

/** Something was sent and no answer is known. Version 1 had one cause, `protocol_error`, for whatever was no answer. */
const toolCallOutcomeUnknown = eventType({
  name: 'ToolCallOutcomeUnknown',
  version: 2,
  upcasters: [asBefore],
  personalUpcasters: [asBefore],
  data: z.strictObject({
    /** Null when the process that ran it is gone. */
    durationMs: durationMs.nullable(),
    cause: z.enum(['timeout', 'cancelled', 'crash', 'connection_lost', 'server_error', 'not_mcp', 'protocol_error', 'ending_not_stored']),
  }),
  personal: z.strictObject({ error: z.string() }),
});

/** What became of an unknown outcome after all: a late answer, or a person's word. */
const toolCallOutcomeSettled = eventType({
  name: 'ToolCallOutcomeSettled',
  data: z.strictObject({
    verdict: z.enum(['succeeded', 'failed']),
    source: z.enum(['person', 'late_answer']),
    result: resultShape.nullable(),
  }),
  personal: z.strictObject({ because: z.string().optional(), preview: z.string().optional() }),
});

/** Refusals of one caller beyond the ones recorded singly in a minute, counted in one event. */
export const toolCallRefusalsCounted = eventType({
  name: 'ToolCallRefusalsCounted',
  data: z.strictObject({
    /** The caller: the subject it was for, else who acted. */
    caller: z.string(),
    /** Start of the minute, milliseconds since the epoch. */
    since: z.int().nonnegative(),
    /** How many refusals had each reason code. */
    counts: z.record(code, z.int().positive()),
    total: z.int().positive(),
  }),
  personal: null,
});

export const toolCallTypes = [
  toolCallAdmitted,
  toolCallRefused,
  toolCallSucceeded,
  toolCallFailed,
  toolCallCancelled,
  toolCallOutcomeUnknown,
  toolCallOutcomeSettled,
] as const;

/** Stream `toolCall-<callId>`. */
export type ToolCallEvent = EventOf<(typeof toolCallTypes)[number]>;
/** Stream `toolRefusals-<workspace>`. */
export type ToolRefusalsEvent = EventOf<typeof toolCallRefusalsCounted>;
export type ToolCallRoute = z.output<typeof route>;
export type RedactionNote = z.output<typeof redaction>[number];
export type ResultShape = z.output<typeof resultShape>;
export type CallBasis = z.output<typeof basis>;
