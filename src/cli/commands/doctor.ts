import { Command } from 'commander';
import { terminalSafe } from '../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../commandContext.js';

/** `doctor` */
export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description('check configuration, store, keys, clock, disk and network guard')
    .action(async (_options: object, command: Command) => {
      const findings = await toolledgerOf(context, command, true).doctor();
      const problems = findings.filter(({ state }) => state === 'problem').length;
      if (problems > 0) context.setExitCode(1);
      // No table: what is wrong and what to do would be cut.
      print(context, { findings }, () => findings.map(({ check, state, detail }) => terminalSafe(`${state}: ${check}: ${detail}`)));
    });
}
