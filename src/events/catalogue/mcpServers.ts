import { z } from 'zod';
import { eventType, type EventOf } from './eventType.js';
import { code, serverId, sha256Hex } from './words.js';

/** What a server is registered for; families other than generic may stand in for a built-in tool. */
export const mcpServerKinds = ['generic', 'url_fetcher', 'web_search', 'prose_linter'] as const;

/** An admin registered a remote server. The full URL and any credential lie in the vault under the server id. */
const mcpServerRegistered = eventType({
  name: 'McpServerRegistered',
  data: z.strictObject({
    serverId,
    name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/),
    kind: z.enum(mcpServerKinds),
    scheme: z.enum(['http', 'https']),
    host: z.string().max(255),
    port: z.int().min(1).max(65535),
    credential: z.enum(['none', 'token']),
  }),
  personal: null,
});

const mcpServerEnabled = eventType({
  name: 'McpServerEnabled',
  data: z.strictObject({ serverId }),
  personal: null,
});

const mcpServerDisabled = eventType({
  name: 'McpServerDisabled',
  data: z.strictObject({ serverId }),
  personal: null,
});

const mcpServerRemoved = eventType({
  name: 'McpServerRemoved',
  data: z.strictObject({ serverId }),
  personal: null,
});

/** The server's tool list as it is now; recorded only when it differs from the last one. */
const mcpToolsDiscovered = eventType({
  name: 'McpToolsDiscovered',
  data: z.strictObject({
    serverId,
    /** In the order the server lists them. `name` is what models see, `remoteName` the server's own. */
    tools: z.array(z.strictObject({ name: z.string(), remoteName: z.string(), definition: sha256Hex })).readonly(),
    /** Tools left out, and why. The name is null when the server gave none that can be shown. */
    skipped: z.array(z.strictObject({ name: z.string().nullable(), reason: code })).readonly(),
  }),
  personal: null,
});

/** An admin accepted these definitions; under the policy `hold` only accepted ones are used. */
const mcpToolDefinitionsAccepted = eventType({
  name: 'McpToolDefinitionsAccepted',
  data: z.strictObject({ serverId, definitions: z.array(sha256Hex).readonly() }),
  personal: null,
});

export const mcpServersTypes = [
  mcpServerRegistered,
  mcpServerEnabled,
  mcpServerDisabled,
  mcpServerRemoved,
  mcpToolsDiscovered,
  mcpToolDefinitionsAccepted,
] as const;

/** Stream `mcpServers-<workspace>`: one for all servers, because name and number are decided over all of them. */
export type McpServersEvent = EventOf<(typeof mcpServersTypes)[number]>;
