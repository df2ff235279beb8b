import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../commands/mcpServers/mcpServers.js';
import { toolSettingsDecider, toolSettingsStream } from '../../commands/toolSettings.js';
import { Fault } from '../../platform/fault.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import type { OwnerServices } from '../services.js';
import { commandIn, workspaceId } from '../words.js';

/** Switches a tool on or off in a workspace. An alias switches the tool it stands for. */
export const setToolSwitch = operation({
  name: 'setToolSwitch',
  reach: 'owner',
  ifLost: 'Look with `toolledger tools list --explain` before you repeat it.',
  input: z.object({ tool: z.string(), on: z.boolean(), workspace: workspaceId }),
  output: z.object({ tool: z.string(), changed: z.boolean() }),
  async run(services, { tool, on, workspace }, { caller }) {
    const name = await canonicalName(services, tool, workspace);
    const outcome = await services.handler.execute(
      toolSettingsDecider,
      toolSettingsStream(workspace),
      [{ type: 'SetSwitch', tool: name, on }],
      originOf(caller, workspace),
    );
    return { tool: name, changed: outcome.kind === 'recorded' };
  },
});

async function canonicalName({ registry, handler }: OwnerServices, tool: string, workspace: string): Promise<string> {
  const builtIn = registry.find(tool);
  if (builtIn !== undefined) return builtIn.name;
  const { state } = await handler.load(mcpServersDecider, mcpServersStream(workspace));
  const offered = state.servers.some(({ discovery }) => discovery !== 'unknown' && discovery.tools.some(({ name }) => name === tool));
  if (offered) return tool;
  throw new Fault('failed', 'unknown_tool', `No tool "${tool.slice(0, 128)}" is known in ${workspace}; \`${commandIn(workspace, 'tools list --explain')}\` lists those there are.`, { workspace });
}
