import type { ToolSettingsEvent } from '../events/catalogue/toolSettings.js';
import { accepted } from './accepted.js';
import type { Decider } from './decider.js';

/** Switch a tool on or off. Also recorded when it equals the tool's default: from then on it is somebody's wish. */
export interface ToolSettingsCommand {
  readonly type: 'SetSwitch';
  /** Canonical name. */
  readonly tool: string;
  readonly on: boolean;
}

/** The switches somebody set; a tool that is not in it follows its default. */
export interface ToolSettingsState {
  readonly switches: ReadonlyMap<string, boolean>;
}

/** The stream of a workspace's tool settings. */
export function toolSettingsStream(workspace: string): string {
  return `toolSettings-${workspace}`;
}

/** The tool switches of a workspace. */
export const toolSettingsDecider: Decider<ToolSettingsCommand, ToolSettingsState, ToolSettingsEvent, never> = {
  initialState: () => ({ switches: new Map() }),

  decide({ tool, on }, state) {
    return state.switches.get(tool) === on ? accepted() : accepted({ type: 'ToolSwitchSet', data: { tool, on } });
  },

  evolve(state, { data }) {
    return { switches: new Map(state.switches).set(data.tool, data.on) };
  },
};
