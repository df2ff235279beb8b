import { Command, Option } from 'commander';
import { setMcpAudience } from '../../../operations/servers/using/setMcpAudience.js';
import { personName } from '../../../operations/personName.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { workspaceOption } from './workspaceOption.js';

/** `mcp audience NAME [--everyone | --role R…] [--channel C…]` */
export function audienceCommand(context: CommandContext): Command {
  return new Command('audience')
    .description('say who may use a server; without options, show it')
    .argument('<name>')
    .addOption(new Option('--everyone', 'everyone in the workspace').conflicts('role'))
    .option('--role <id...>', 'members with one of these roles')
    .option('--channel <id...>', 'in one of these channels; without it, everywhere')
    .addOption(workspaceOption())
    .action(async (name: string, { everyone, role, channel, workspace }: { everyone?: true; role?: string[]; channel?: string[]; workspace: string }, command: Command) => {
      const isWished = everyone === true || role !== undefined || channel !== undefined;
      const wanted = isWished ? { roles: role ?? [], channels: channel ?? [] } : null;
      const answer = await toolledgerOf(context, command).invoke(setMcpAudience, { name, wanted, workspace }, { signal: context.signal });
      const { roles, channels, person } = answer.audience;
      const who = person !== null ? `${personName(person, answer.operator)} only` : roles === null ? 'everyone' : `members with one of the roles ${roles.join(', ')}`;
      const where = channels === null ? 'everywhere' : `in the channels ${channels.join(', ')}`;
      print(context, answer, () => [
        terminalSafe(`Server ${name} is for ${who}, ${where}${isWished && !answer.changed ? ', as before' : ''}.`),
        ...(answer.warning === null ? [] : [`Warning: ${answer.warning}`]),
      ]);
    });
}
