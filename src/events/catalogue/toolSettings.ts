import { z } from 'zod';
import { eventType, type EventOf } from './eventType.js';
import { toolName } from './words.js';

/** Somebody switched a tool on or off in a workspace. */
const toolSwitchSet = eventType({
  name: 'ToolSwitchSet',
  data: z.strictObject({ tool: toolName, on: z.boolean() }),
  personal: null,
});

export const toolSettingsTypes = [toolSwitchSet] as const;

/** Stream `toolSettings-<workspace>`. */
export type ToolSettingsEvent = EventOf<(typeof toolSettingsTypes)[number]>;
