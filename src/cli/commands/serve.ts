import { Command } from 'commander';
import { terminalSafe } from '../../platform/text/terminal.js';
import { toolledgerOf, type CommandContext } from '../commandContext.js';

/** `serve` */
export function serveCommand(context: CommandContext): Command {
  return new Command('serve')
    .description('run everything: the ledger, the MCP endpoint and the views, until SIGINT or SIGTERM')
    .action(async (_options: object, command: Command) => {
      await toolledgerOf(context, command).serve(context.signal, (lines) =>
        context.terminal.out(lines.map((line) => `${terminalSafe(line)}\n`).join('')),
      );
    });
}
