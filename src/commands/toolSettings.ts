import type { definitionPolicies, ToolSettingsEvent } from '../events/catalogue/toolSettings.js';
import { accepted } from './accepted.js';
import type { Decider } from './decider.js';

/** When tools whose definition changed are used: at once (`warn`), or only after an admin accepted it (`hold`). */
export type DefinitionPolicy = (typeof definitionPolicies)[number];

/** What can be asked of a workspace's tool settings. */
export type ToolSettingsCommand =
  /** Switch a tool on or off. Also recorded when it equals the tool's default: from then on it is somebody's wish. */
  | {
      readonly type: 'SetSwitch';
      /** Canonical name. */
      readonly tool: string;
      readonly on: boolean;
    }
  /** Null: what the deployment says holds again. */
  | { readonly type: 'SetDefinitionPolicy'; readonly policy: DefinitionPolicy | null };

/** What somebody set; everything else follows its default. */
export interface ToolSettingsState {
  readonly switches: ReadonlyMap<string, boolean>;
  readonly policy: DefinitionPolicy | null;
}

/** The stream of a workspace's tool settings. */
export function toolSettingsStream(workspace: string): string {
  return `toolSettings-${workspace}`;
}

/** The tool switches of a workspace, and its rule for definitions that changed. */
export const toolSettingsDecider: Decider<ToolSettingsCommand, ToolSettingsState, ToolSettingsEvent, never> = {
  initialState: () => ({ switches: new Map(), policy: null }),

  decide(command, state) {
    if (command.type === 'SetDefinitionPolicy') {
      const { policy } = command;
      return state.policy === policy ? accepted() : accepted({ type: 'DefinitionPolicySet', data: { policy } });
    }
    const { tool, on } = command;
    return state.switches.get(tool) === on ? accepted() : accepted({ type: 'ToolSwitchSet', data: { tool, on } });
  },

  evolve(state, event) {
    if (event.type === 'DefinitionPolicySet') return { ...state, policy: event.data.policy };
    return { ...state, switches: new Map(state.switches).set(event.data.tool, event.data.on) };
  },
};
