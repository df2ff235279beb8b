import { eventType, type EventOf } from './eventType.js';
import type { JsonObject } from '../../platform/json.js';

/** What a model, or a client that asks for one, was shown; recorded when it differs from what it was shown last. */
const toolsDeclared = eventType({
  name: 'ToolsDeclared',
  version: 2,
  data: ({ z, code, sha256Hex, toolName }) => z.strictObject({
    /** In the order shown. The texts are in the streams `toolDefinition-<hash>`. */
    tools: z.array(z.strictObject({ name: toolName, definition: sha256Hex })).readonly(),
    /** Tools that were not shown, and every reason why. */
    leftOut: z.array(z.strictObject({ name: toolName, reasons: z.array(code).min(1).readonly() })).readonly(),
    /** Enabled servers whose tools nobody knew yet, which is not the same as none, and why nobody did. */
    undiscovered: z.array(z.strictObject({ server: z.string(), reason: code })).readonly(),
  }),
  personal: null,
  upcasters: [namesBecomeServers],
});

/** Version 1 held names only; that their tools were unknown was the only reason there was. */
function namesBecomeServers(content: JsonObject): JsonObject {
  const names = content['undiscovered'] as readonly string[];
  return { ...content, undiscovered: names.map((server) => ({ server, reason: 'tools_unknown' })) };
}

export const turnTypes = [toolsDeclared] as const;

/** Stream `turn-<turnId>`. */
export type TurnEvent = EventOf<(typeof turnTypes)[number]>;
