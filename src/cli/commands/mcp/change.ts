import { Command } from 'commander';
import type { z } from 'zod';
import { disableMcpServer } from '../../../operations/servers/using/disableMcpServer.js';
import { enableMcpServer } from '../../../operations/servers/using/enableMcpServer.js';
import { removeMcpServer } from '../../../operations/servers/registering/removeMcpServer.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { workspaceOption } from './workspaceOption.js';

/** `mcp enable NAME` */
export function enableCommand(context: CommandContext): Command {
  return new Command('enable')
    .description('use the server again')
    .argument('<name>')
    .addOption(workspaceOption())
    .action(async (server: string, { workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(enableMcpServer, { name: server, workspace }, { signal: context.signal });
      print(context, answer, () => [terminalSafe(`Server ${server} is enabled${answer.changed ? '' : ' already'}${stillOut(answer)}`)]);
    });
}

/** `mcp disable NAME` */
export function disableCommand(context: CommandContext): Command {
  return changeCommand(context, 'disable', 'stop using the server and keep its registration', disableMcpServer, 'is disabled');
}

/** `mcp remove NAME` */
export function removeCommand(context: CommandContext): Command {
  return changeCommand(context, 'remove', 'forget the server and its credential', removeMcpServer, 'is removed');
}

function changeCommand(
  context: CommandContext,
  name: string,
  description: string,
  wish: typeof disableMcpServer | typeof removeMcpServer,
  done: string,
): Command {
  return new Command(name)
    .description(description)
    .argument('<name>')
    .addOption(workspaceOption())
    .action(async (server: string, { workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(wish, { name: server, workspace }, { signal: context.signal });
      print(context, answer, () => [terminalSafe(`Server ${server} ${done}${answer.changed ? '' : ' already'}.`)]);
    });
}

/** The end of a sentence about a server that is enabled: what keeps it out of use all the same. */
function stillOut({ state, standing }: z.output<typeof enableMcpServer.output>): string {
  return standing === null ? '.' : `${state === 'enabled' ? '' : `, and ${state.replaceAll('_', ' ')}`}. ${standing}`;
}
