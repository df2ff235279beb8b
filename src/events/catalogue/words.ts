// What the schemas of events are made of; see `eventType.ts`.
import { z } from 'zod';

export { z };
export { jsonObject, jsonValue } from './jsonValue.js';

/** A reason code: why something is refused, unavailable or failed. Stable; scripts and models read it. */
export const code = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);

/** SHA-256 as 64 hex digits. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** A tool's name as the product knows it: at most 128 characters that every model provider takes, after aliasing. */
export const toolName = z.string().min(1).max(128);

/** Id of an MCP server registration: UUIDv7, new for each registration even under the same name. */
export const serverId = z.uuid();

/** A guild channel's id, never that of a DM. */
export const guildChannel = z.string().regex(/^[0-9]{1,20}$/);

/** A guild role's id. */
export const guildRole = z.string().regex(/^[0-9]{1,20}$/);

/** The random id that stands for a person. */
export const subjectId = z.guid();

/** How long something took, in milliseconds. */
export const durationMs = z.int().nonnegative();

/** Id of one sign-in, from its link to its end. What is secret of it lies in the vault under this id. */
export const signInId = z.uuid();

/** Issuer identifier of an authorization server (RFC 8414, section 2), exactly as it calls itself. */
export const issuer = z.string().min(1).max(500);

/** Scopes (RFC 6749, section 3.3), at most a hundred. */
export const scopes = z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/)).max(100).readonly();

/** A public key as text: `name+id+base64` (C2SP signed-note); its name is the origin of the epoch's checkpoints. */
export const vkey = z.string().min(1).max(512);

/** A note with its signatures (C2SP signed-note). */
export const signedNote = z.string().min(1).max(4096);

/** What events somebody asked for, in clear. Absent: not filtered by it. Times are recordedAt, milliseconds since the epoch. */
export const askedFilter = z.strictObject({
  since: z.int().optional(),
  until: z.int().optional(),
  workspace: z.string().optional(),
  subject: subjectId.optional(),
  outcome: code.optional(),
});

/** Words of the filter that were typed freely and may name people: they lie in the box of who asked. */
export const typedFilter = z.strictObject({
  tool: z.string().optional(),
  server: z.string().optional(),
  reason: z.string().optional(),
  channel: z.string().optional(),
  text: z.string().optional(),
});
