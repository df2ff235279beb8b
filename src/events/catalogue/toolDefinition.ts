import { eventType, type EventOf } from './eventType.js';

/**
 * The text of a tool's definition, once for each definition. The hash is SHA-256 over the RFC 8785 form of
 * `definition`, which is the same text that is shown.
 */
const toolDefinitionRecorded = eventType({
  name: 'ToolDefinitionRecorded',
  version: 2,
  data: ({ z, sha256Hex, jsonObject }) => z.strictObject({
    hash: sha256Hex,
    definition: z.strictObject({
      /** The server's own name of the tool. */
      name: z.string(),
      title: z.string().optional(),
      description: z.string(),
      inputSchema: jsonObject,
      outputSchema: jsonObject.optional(),
      annotations: jsonObject.optional(),
      /** An image inside a URL stands as its digest. */
      icons: z.array(jsonObject).readonly().optional(),
    }),
  }),
  personal: null,
  // Icons were not part of it; the hash is still that of the definition.
  upcasters: [(content) => content],
});

export const toolDefinitionTypes = [toolDefinitionRecorded] as const;

/** Stream `toolDefinition-<hash>`. */
export type ToolDefinitionEvent = EventOf<(typeof toolDefinitionTypes)[number]>;
export type RecordedToolDefinition = ToolDefinitionEvent['data']['definition'];
