import { Command } from 'commander';
import { setMcpAudience } from '../../../operations/servers/using/setMcpAudience.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { workspaceOption } from './workspaceOption.js';

/** `mcp audience NAME [--role R]… [--channel C]…` */
export function audienceCommand(context: CommandContext): Command {
  return new Command('audience')
    .description('say who may use a server; without --role everybody, without --channel everywhere')
    .argument('<name>')
    .option('--role <id...>', 'members with one of these roles')
    .option('--channel <id...>', 'in one of these channels')
    .addOption(workspaceOption())
    .action(async (name: string, options: { role?: string[]; channel?: string[]; workspace: string }, command: Command) => {
      const { role: roles = [], channel: channels = [], workspace } = options;
      const answer = await toolledgerOf(context, command).invoke(setMcpAudience, { name, roles, channels, workspace }, { signal: context.signal });
      const who = roles.length === 0 ? 'everybody' : `members with one of the roles ${roles.join(', ')}`;
      const where = channels.length === 0 ? 'everywhere' : `in the channels ${channels.join(', ')}`;
      print(context, answer, () => [
        terminalSafe(`Server ${name} is for ${who}, ${where}${answer.changed ? '' : ', as before'}.`),
        ...(answer.warning === null ? [] : [`Warning: ${answer.warning}`]),
      ]);
    });
}
