import { z } from 'zod';

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
