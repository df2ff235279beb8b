import { eventType, type EventOf } from './eventType.js';

/** Somebody switched a tool on or off in a workspace. */
const toolSwitchSet = eventType({
  name: 'ToolSwitchSet',
  data: ({ z, toolName }) => z.strictObject({ tool: toolName, on: z.boolean() }),
  personal: null,
});

/** When tools whose definition changed are used: at once, and admins are told, or only after somebody accepted it. */
export const definitionPolicies = ['warn', 'hold'] as const;

/** Somebody said which rule holds in a workspace for definitions that changed; null: the deployment's. */
const definitionPolicySet = eventType({
  name: 'DefinitionPolicySet',
  data: ({ z }) => z.strictObject({ policy: z.enum(definitionPolicies).nullable() }),
  personal: null,
});

export const toolSettingsTypes = [toolSwitchSet, definitionPolicySet] as const;

/** Stream `toolSettings-<workspace>`. */
export type ToolSettingsEvent = EventOf<(typeof toolSettingsTypes)[number]>;
