import { eventType, type EventOf } from './eventType.js';

/** The built-in tools of the program that owns the ledger, as they are now; recorded at a start when they differ from the last ones. */
const builtInToolsOffered = eventType({
  name: 'BuiltInToolsOffered',
  data: ({ z, sha256Hex, toolName }) => z.strictObject({
    /** In the order of the program. The texts are in the streams `toolDefinition-<hash>`. */
    tools: z
      .array(
        z.strictObject({
          name: toolName,
          /** Other names that mean this tool. */
          aliases: z.array(toolName).readonly(),
          definition: sha256Hex,
          /** Whether a workspace that never set the switch may use it. */
          onByDefault: z.boolean(),
        }),
      )
      .readonly(),
  }),
  personal: null,
});

export const builtInToolsTypes = [builtInToolsOffered] as const;

/** Stream `program-tools`. */
export type BuiltInToolsEvent = EventOf<(typeof builtInToolsTypes)[number]>;
