import { eventType } from '../eventType.js';

/** The server's tool list as it is now; recorded only when it differs from the last one. */
const mcpToolsDiscovered = eventType({
  name: 'McpToolsDiscovered',
  version: 2,
  data: ({ z, code, sha256Hex, serverId }) => z.strictObject({
    serverId,
    /** In the order the server lists them. `name` is what models see, `remoteName` the server's own. */
    tools: z.array(z.strictObject({ name: z.string(), remoteName: z.string(), definition: sha256Hex })).readonly(),
    /** Tools left out, and why. The name is null when the server gave none that can be shown. */
    skipped: z.array(z.strictObject({ name: z.string().nullable(), reason: code })).readonly(),
    /** What the server says of how to use it, as it is hashed (SHA-256 over RFC 8785); null when it says nothing. For people only. */
    instructions: z.strictObject({ hash: sha256Hex, text: z.string() }).nullable(),
  }),
  personal: null,
  // They were not looked at before.
  upcasters: [(content) => ({ ...content, instructions: null })],
});

/** An admin accepted these definitions; under the policy `hold` only accepted ones are used. */
const mcpToolDefinitionsAccepted = eventType({
  name: 'McpToolDefinitionsAccepted',
  data: ({ z, sha256Hex, serverId }) => z.strictObject({ serverId, definitions: z.array(sha256Hex).readonly() }),
  personal: null,
});

/** An admin switched one tool of a server off, or on again. */
const mcpToolSwitchSet = eventType({
  name: 'McpToolSwitchSet',
  data: ({ z, serverId }) => z.strictObject({
    serverId,
    /** The server's own name of the tool. */
    remoteName: z.string().min(1).max(256),
    on: z.boolean(),
  }),
  personal: null,
});

/** Most roles, and most channels, that an audience names. */
export const mostInAudience = 50;

/** An admin said who may use a server: members with one of these roles, in one of these channels, or one person. */
const mcpServerAudienceSet = eventType({
  name: 'McpServerAudienceSet',
  version: 2,
  data: ({ z, serverId, guildChannel, guildRole, subjectId }) => z.strictObject({
    serverId,
    /** Null: everyone. */
    roles: z.array(guildRole).min(1).max(mostInAudience).readonly().nullable(),
    /** Null: everywhere. */
    channels: z.array(guildChannel).min(1).max(mostInAudience).readonly().nullable(),
    /** Only this person, whose account it is; null: whoever has a role. */
    person: subjectId.nullable(),
  }),
  personal: null,
  upcasters: [(content) => ({ ...content, person: null })],
});

export const offeredToolsTypes = [mcpToolsDiscovered, mcpToolDefinitionsAccepted, mcpToolSwitchSet, mcpServerAudienceSet] as const;
