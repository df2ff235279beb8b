import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { Fault } from '../../../platform/fault.js';
import { operation } from '../../operation.js';
import { originOf } from '../../origin.js';
import { refusedFault } from '../../refusedFault.js';
import { commandIn, workspaceId } from '../../words.js';
import { serverNamed } from '../serverNamed.js';
import { lookAtServers } from '../serverOperation.js';

/** Switches one tool of a server on or off, by the name models see or the server's own. */
export const setMcpToolSwitch = operation({
  name: 'setMcpToolSwitch',
  reach: 'owner',
  ifLost: lookAtServers,
  input: z.object({ name: z.string(), tool: z.string().min(1).max(256), on: z.boolean(), workspace: workspaceId }),
  output: z.object({ tool: z.string(), changed: z.boolean() }),
  async run(services, { name, tool, on, workspace }, { caller }) {
    const { serverId, name: server, discovery, switchedOff } = await serverNamed(services, workspace, name);
    const offered = discovery === 'unknown' ? [] : discovery.tools;
    const found = offered.find((known) => known.name === tool) ?? offered.find((known) => known.remoteName === tool);
    // What was switched off once can be switched on again, also while the server does not offer it.
    const remoteName = found?.remoteName ?? (switchedOff.has(tool) ? tool : null);
    if (remoteName === null) {
      const names = offered.map((known) => known.name);
      const offers = names.length === 0 ? `Its tools are not known; run \`${commandIn(workspace, `mcp refresh ${server}`)}\`.` : `It offers: ${names.join(', ')}.`;
      throw new Fault('failed', 'unknown_tool', `Server ${server} has no tool "${tool}". ${offers}`, { workspace, name: server, tool });
    }
    const outcome = await services.handler.execute(mcpServersDecider, mcpServersStream(workspace), [{ type: 'SetToolSwitch', serverId, remoteName, on }], originOf(caller, workspace));
    if (outcome.kind === 'refused') throw refusedFault(outcome.refusal, { workspace, name });
    return { tool: found?.name ?? remoteName, changed: outcome.kind === 'recorded' };
  },
});
