import { Command } from 'commander';
import { estimateMcpPolicy } from '../../../../operations/servers/replay/estimateMcpPolicy.js';
import { parseDuration } from '../../../../platform/time/duration.js';
import { print, toolledgerOf, type CommandContext } from '../../../commandContext.js';
import { policyEstimate } from '../../../format/policyEstimate.js';
import { workspaceOption } from '../workspaceOption.js';

interface Options {
  readonly workspace: string;
  readonly id?: string;
  readonly cooldown?: number;
  readonly cap?: number;
  readonly autoDisable?: number;
}

/** `mcp what-if NAME` */
export function whatIfCommand(context: CommandContext): Command {
  const duration = (text: string): number => parseDuration(text);
  return new Command('what-if')
    .description('an estimate: what is on record of a server, replayed under another policy for failures')
    .argument('<name>')
    .option('--cooldown <duration>', 'quarantine after the first failure (90s, 15m, 24h, 7d); default: as it is set now', duration)
    .option('--cap <duration>', 'no quarantine is longer; default: 36 times the first', duration)
    .option('--auto-disable <duration>', 'a streak of failures this old disables the server; default: 24h', duration)
    .option('--id <id>', 'another registration of the name than the newest')
    .addOption(workspaceOption())
    .action(async (name: string, { workspace, id, cooldown, cap, autoDisable }: Options, command: Command) => {
      const wish = { name, workspace, id, cooldownMs: cooldown, capMs: cap, autoDisableMs: autoDisable };
      const answer = await toolledgerOf(context, command).invoke(estimateMcpPolicy, wish, { signal: context.signal });
      print(context, answer, (found) => policyEstimate(found, context.terminal.columns));
    });
}
