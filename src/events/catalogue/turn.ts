import { z } from 'zod';
import { eventType, type EventOf } from './eventType.js';
import { code, sha256Hex, toolName } from './words.js';

/** What a model, or a client that asks for one, was shown; recorded when it differs from what it was shown last. */
const toolsDeclared = eventType({
  name: 'ToolsDeclared',
  data: z.strictObject({
    /** In the order shown. The texts are in the streams `toolDefinition-<hash>`. */
    tools: z.array(z.strictObject({ name: toolName, definition: sha256Hex })).readonly(),
    /** Tools that were not shown, and every reason why. */
    leftOut: z.array(z.strictObject({ name: toolName, reasons: z.array(code).min(1).readonly() })).readonly(),
    /** Names of enabled servers whose tools nobody knew yet, which is not the same as none. */
    undiscovered: z.array(z.string()).readonly(),
  }),
  personal: null,
});

export const turnTypes = [toolsDeclared] as const;

/** Stream `turn-<turnId>`. */
export type TurnEvent = EventOf<(typeof turnTypes)[number]>;
