import { Command } from 'commander';
import { print, rows, toolledgerOf, type CommandContext } from '../commandContext.js';

/** `doctor` */
export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description('check configuration, store, keys, clock, disk and network guard')
    .action(async (_options: object, command: Command) => {
      const findings = await toolledgerOf(context, command).doctor();
      const problems = findings.filter(({ state }) => state === 'problem').length;
      if (problems > 0) context.setExitCode(1);
      print(context, { findings }, () =>
        rows(
          context,
          findings,
          [
            { title: 'check', cell: ({ check }) => check },
            { title: 'state', cell: ({ state }) => state },
            { title: 'detail', cell: ({ detail }) => detail, grows: true },
          ],
          'nothing to check',
        ),
      );
    });
}
