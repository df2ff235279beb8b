import type { z } from 'zod';
import type { JsonObject } from '../../platform/json.js';
import { eventType, type EventOf, type Words } from './eventType.js';

/** Where a call goes: to a built-in tool, or to a tool of a registered MCP server; with the definition it was judged on. */
const route = ({ z, sha256Hex, serverId }: Words) => z.discriminatedUnion('kind', [
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
const redaction = ({ z }: Words) => z.array(z.strictObject({ path: z.string(), rule: z.string() })).readonly();

/** What the ledger keeps of the arguments, in clear. */
const keptArguments = (words: Words) => ({
  /** Clear values of classified parameters of built-in tools; empty for remote ones. */
  parameters: words.jsonObject,
  redaction: redaction(words),
  /** HMAC-SHA-256 of the canonical arguments, keyed from the person's key; null when they were not readable. */
  argumentsDigest: words.sha256Hex.nullable(),
  /** Size of the arguments as JSON text, in bytes. */
  argumentsBytes: words.z.int().nonnegative(),
  /** Guild channel the call was made from. */
  channel: words.guildChannel.nullable(),
});

/** Revisions of the streams the call was judged on; null: the stream was empty. */
const basis = ({ z }: Words) => z.strictObject({
  workspace: z.int().nonnegative().nullable(),
  settings: z.int().nonnegative().nullable(),
  servers: z.int().nonnegative().nullable(),
});

/** What kind of answer came, without its text. */
const resultShape = (words: Words) => words.z.strictObject({
  /** Size of the whole result as JSON text, in bytes. */
  bytes: words.z.int().nonnegative(),
  /** Content kinds in it, e.g. `text`, `image`, `structured`. */
  kinds: words.z.array(words.z.string()).readonly(),
  /** Whether the preview was cut. */
  previewCut: words.z.boolean(),
  redaction: redaction(words),
});

/** The call passed every gate; durable before anything is sent or changed. */
const toolCallAdmitted = eventType({
  name: 'ToolCallAdmitted',
  version: 2,
  upcasters: [withDefinition],
  personalUpcasters: [asBefore],
  data: (words) => words.z.strictObject({
    tool: words.toolName,
    route: route(words),
    ...keptArguments(words),
    /** When the run is given up, milliseconds since the epoch (caller's clock). */
    deadline: words.z.int().nonnegative(),
    basis: basis(words),
  }),
  personal: ({ z, jsonValue }) => z.strictObject({
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
  data: (words) => words.z.strictObject({
    /** Null when no such tool is known: the name given is then a personal value. */
    tool: words.toolName.nullable(),
    route: route(words).nullable(),
    reasons: words.z.array(words.code).min(1).readonly(),
    ...keptArguments(words),
    basis: basis(words),
    /** The stored call whose id was given again for something else. */
    conflictsWith: words.z.string().nullable(),
  }),
  personal: ({ z, jsonValue }) => z.strictObject({
    toolName: z.string().optional(),
    arguments: jsonValue.optional(),
    /** What was said to the caller, beyond the reason codes. */
    detail: z.string().optional(),
  }),
});

/** An answer arrived and the tool says it worked. */
const toolCallSucceeded = eventType({
  name: 'ToolCallSucceeded',
  data: (words) => words.z.strictObject({ durationMs: words.durationMs, result: resultShape(words) }),
  personal: ({ z }) => z.strictObject({ preview: z.string() }),
});

/** An answer arrived and it is a failure, or a gate closed before anything was sent. */
const toolCallFailed = eventType({
  name: 'ToolCallFailed',
  data: (words) => words.z.strictObject({
    durationMs: words.durationMs,
    /** Whose failure it is. */
    party: words.z.enum(['tool', 'server', 'guard', 'arguments']),
    code: words.code,
    result: resultShape(words).nullable(),
  }),
  personal: ({ z }) => z.strictObject({ error: z.string(), preview: z.string().optional() }),
});

/** The caller gave up while provably nothing had been sent, or the tool confirmed that it stopped. */
const toolCallCancelled = eventType({
  name: 'ToolCallCancelled',
  data: ({ z, durationMs }) => z.strictObject({ durationMs, by: z.enum(['caller', 'shutdown']) }),
  personal: null,
});

/** Something was sent and no answer is known. Version 1 had one cause, `protocol_error`, for whatever was no answer. */
const toolCallOutcomeUnknown = eventType({
  name: 'ToolCallOutcomeUnknown',
  version: 2,
  upcasters: [asBefore],
  personalUpcasters: [asBefore],
  data: ({ z, durationMs }) => z.strictObject({
    /** Null when the process that ran it is gone. */
    durationMs: durationMs.nullable(),
    cause: z.enum(['timeout', 'cancelled', 'crash', 'connection_lost', 'server_error', 'not_mcp', 'protocol_error', 'ending_not_stored']),
  }),
  personal: ({ z }) => z.strictObject({ error: z.string() }),
});

/** What became of an unknown outcome after all: a late answer, or a person's word. */
const toolCallOutcomeSettled = eventType({
  name: 'ToolCallOutcomeSettled',
  data: (words) => words.z.strictObject({
    verdict: words.z.enum(['succeeded', 'failed']),
    source: words.z.enum(['person', 'late_answer']),
    result: resultShape(words).nullable(),
  }),
  personal: ({ z }) => z.strictObject({ because: z.string().optional(), preview: z.string().optional() }),
});

/** Refusals of one caller beyond the ones recorded singly in a minute, counted in one event. */
export const toolCallRefusalsCounted = eventType({
  name: 'ToolCallRefusalsCounted',
  data: ({ z, code }) => z.strictObject({
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
export type ToolCallRoute = z.output<ReturnType<typeof route>>;
export type RedactionNote = z.output<ReturnType<typeof redaction>>[number];
export type ResultShape = z.output<ReturnType<typeof resultShape>>;
export type CallBasis = z.output<ReturnType<typeof basis>>;
