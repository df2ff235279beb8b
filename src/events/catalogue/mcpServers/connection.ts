import { eventType } from '../eventType.js';

/** Why a server is not dialled until somebody acts, or a day has passed; nothing of it counts as a failure. */
export const parkedReasons = ['needs_sign_in', 'needs_reauthorization', 'needs_newer_client', 'blocked_address'] as const;

/**
 * An attempt to connect and list failed. Whoever folds it derives since when the server fails and until when it is
 * skipped from the time the event was recorded.
 */
const mcpConnectionFailed = eventType({
  name: 'McpConnectionFailed',
  data: ({ z, code, serverId }) => z.strictObject({
    serverId,
    /** What kind of failure, e.g. `timeout` or `unauthorized`. */
    class: code,
    /** False for attempts an admin asked for, and for servers that asked to wait. */
    counted: z.boolean(),
    /** Counted failures in a row, this one included when it counts. */
    streak: z.int().min(0),
    /** How long the server is skipped from now on, in milliseconds; 0 when this failure changes nothing about that. */
    cooldownMs: z.int().min(0),
  }),
  personal: null,
});

/** It was reached and listed its tools: a streak of failures, or a wait, is over. */
const mcpConnectionRecovered = eventType({
  name: 'McpConnectionRecovered',
  data: ({ z, serverId }) => z.strictObject({ serverId }),
  personal: null,
});

/** It cannot be used until somebody acts. Recorded again each time a look found the same. */
const mcpServerParked = eventType({
  name: 'McpServerParked',
  data: ({ z, serverId }) => z.strictObject({ serverId, reason: z.enum(parkedReasons) }),
  personal: null,
});

/** What it was parked for is over. */
const mcpServerUnparked = eventType({
  name: 'McpServerUnparked',
  data: ({ z, serverId }) => z.strictObject({ serverId }),
  personal: null,
});

/** The server no longer knew our session during a call; the next operation shakes hands again. */
const mcpSessionExpired = eventType({
  name: 'McpSessionExpired',
  data: ({ z, serverId }) => z.strictObject({ serverId }),
  personal: null,
});

export const connectionTypes = [
  mcpConnectionFailed,
  mcpConnectionRecovered,
  mcpServerParked,
  mcpServerUnparked,
  mcpSessionExpired,
] as const;
