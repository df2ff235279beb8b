import { Command, Option } from 'commander';
import { setMcpAudience } from '../../../operations/servers/using/setMcpAudience.js';
import { personName } from '../../../operations/personName.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { workspaceOption } from './workspaceOption.js';

/** `mcp audience NAME [--everyone | --role R…] [--everywhere | --channel C…]` */
export function audienceCommand(context: CommandContext): Command {
  return new Command('audience')
    .description('say who may use a server, and where; what is not named stays, and without options it is shown')
    .argument('<name>')
    .addOption(new Option('--everyone', 'everyone in the workspace').conflicts('role'))
    .option('--role <id...>', 'members with one of these roles')
    .addOption(new Option('--everywhere', 'in every channel').conflicts('channel'))
    .option('--channel <id...>', 'in one of these channels')
    .addOption(workspaceOption())
    .action(async (name: string, { everyone, role, everywhere, channel, workspace }: { everyone?: true; role?: string[]; everywhere?: true; channel?: string[]; workspace: string }, command: Command) => {
      const wanted = {
        ...(role !== undefined && { roles: role }),
        ...(everyone === true && { roles: null }),
        ...(channel !== undefined && { channels: channel }),
        ...(everywhere === true && { channels: null }),
      };
      const isWished = Object.keys(wanted).length > 0;
      const answer = await toolledgerOf(context, command).invoke(setMcpAudience, { name, ...wanted, workspace }, { signal: context.signal });
      const { roles, channels, person } = answer.audience;
      const who = person !== null ? `${personName(person, answer.operator)} only` : roles === null ? 'everyone' : `members with one of the roles ${roles.join(', ')}`;
      const where = channels === null ? 'everywhere' : `in the channels ${channels.join(', ')}`;
      print(context, answer, () => [
        terminalSafe(`Server ${name} is for ${who}, ${where}${isWished && !answer.changed ? ', as before' : ''}.`),
        ...(answer.warning === null ? [] : [`Warning: ${answer.warning}`]),
      ]);
    });
}
