import { eventType } from '../eventType.js';

/** What a server is registered for; families other than generic may stand in for a built-in tool. */
export const mcpServerKinds = ['generic', 'url_fetcher', 'web_search', 'prose_linter'] as const;

/** An admin registered a remote server. The full URL and any credential lie in the vault under the server id. */
const mcpServerRegistered = eventType({
  name: 'McpServerRegistered',
  data: ({ z, serverId }) => z.strictObject({
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
  data: ({ z, serverId }) => z.strictObject({ serverId }),
  personal: null,
});

const mcpServerDisabled = eventType({
  name: 'McpServerDisabled',
  data: ({ z, serverId }) => z.strictObject({ serverId }),
  personal: null,
});

/** It failed again when its streak was at least a day old. Only an admin enables it again. */
const mcpServerAutoDisabled = eventType({
  name: 'McpServerAutoDisabled',
  data: ({ z, code, serverId }) => z.strictObject({
    serverId,
    /** Class of the last failure. */
    class: code,
    /** Counted failures in a row, the last one included. */
    failures: z.int().min(1),
    /** When the first of them was recorded, in milliseconds since the epoch. */
    failingSince: z.int(),
  }),
  personal: null,
});

const mcpServerRemoved = eventType({
  name: 'McpServerRemoved',
  data: ({ z, serverId }) => z.strictObject({ serverId }),
  personal: null,
});

/** Another token, or none, was put into the vault after it had been tried, or the tokens of an account that was signed in. */
const mcpCredentialReplaced = eventType({
  name: 'McpCredentialReplaced',
  version: 2,
  data: ({ z, serverId }) => z.strictObject({ serverId, credential: z.enum(['none', 'token', 'oauth']) }),
  personal: null,
  // Accounts came later.
  upcasters: [(content) => content],
});

/** Address and credential were taken out of the vault, because the workspace has been closed for long enough. */
const mcpCredentialDeleted = eventType({
  name: 'McpCredentialDeleted',
  data: ({ z, serverId }) => z.strictObject({ serverId }),
  personal: null,
});

export const registrationTypes = [
  mcpServerRegistered,
  mcpServerEnabled,
  mcpServerDisabled,
  mcpServerAutoDisabled,
  mcpServerRemoved,
  mcpCredentialReplaced,
  mcpCredentialDeleted,
] as const;
