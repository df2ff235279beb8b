import { Command } from 'commander';
import { showMcpHistory } from '../../../../operations/servers/replay/showMcpHistory.js';
import { print, toolledgerOf, whenOption, type CommandContext } from '../../../commandContext.js';
import { serverLives } from '../../../format/serverLives.js';
import { workspaceOption } from '../workspaceOption.js';

interface Options {
  readonly workspace: string;
  readonly asOf?: number;
  readonly id?: string;
}

/** `mcp history NAME` */
export function historyCommand(context: CommandContext): Command {
  return new Command('history')
    .description('the life of a server, read from the ledger: every registration of the name, what happened to it and who did it')
    .argument('<name>')
    .option('--as-of <time>', 'as it was on record at that time: ISO 8601 with offset, a date, or an age (15m, 24h, 7d)', whenOption)
    .option('--id <id>', 'one registration of the name only')
    .addOption(workspaceOption())
    .action(async (name: string, { workspace, asOf, id }: Options, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(showMcpHistory, { name, workspace, asOf, id }, { signal: context.signal });
      print(context, answer, (found) => serverLives(found, context.terminal.columns));
    });
}
