import { Command } from 'commander';
import { setMcpToolSwitch } from '../../../operations/servers/using/setMcpToolSwitch.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { workspaceOption } from './workspaceOption.js';

/** `mcp tool on|off NAME TOOL` */
export function toolCommand(context: CommandContext): Command {
  return new Command('tool')
    .description('switch single tools of a server on or off')
    .addCommand(switchCommand(context, 'on', true))
    .addCommand(switchCommand(context, 'off', false));
}

function switchCommand(context: CommandContext, word: string, on: boolean): Command {
  return new Command(word)
    .description(`switch one tool of a server ${word}`)
    .argument('<name>', 'the server')
    .argument('<tool>', 'the tool, as models see it or as the server calls it')
    .addOption(workspaceOption())
    .action(async (name: string, tool: string, { workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(setMcpToolSwitch, { name, tool, on, workspace }, { signal: context.signal });
      print(context, answer, () => [terminalSafe(`Tool ${answer.tool} of server ${name} is ${word}${answer.changed ? '' : ' already'}.`)]);
    });
}
