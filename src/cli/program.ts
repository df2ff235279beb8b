import { Command } from 'commander';
import type { CommandContext } from './commandContext.js';
import { auditCommand } from './commands/audit.js';
import { callCommand } from './commands/call.js';
import { doctorCommand } from './commands/doctor.js';
import { keysCommand } from './commands/keys.js';
import { ledgerCommand } from './commands/ledger.js';
import { mcpCommand } from './commands/mcp.js';
import { privacyCommand } from './commands/privacy.js';
import { projectionsCommand } from './commands/projections.js';
import { serveCommand } from './commands/serve.js';
import { toolsCommand } from './commands/tools.js';
import { workspaceCommand } from './commands/workspace.js';

const help = `
Try it:
  toolledger call roll_dice '{"notation":"4d6kh3+2"}'   one ledgered tool call
  toolledger audit search                               the calls there are
  toolledger audit show CALLID                          the whole life of one call
  toolledger tools list --explain                       what a model may use, and why not the rest

Exit codes: 0 ok · 1 failed or refused · 2 wrong usage or bad input · 3 the ledger is damaged or incomplete`;

/** The command line as a commander program; it never exits the process by itself. */
export function makeProgram(context: CommandContext): Command {
  const program = new Command('toolledger')
    .description('A tool runtime and ledger for AI bots on Discord.')
    .version(context.version)
    .option('--data <dir>', 'data directory (default: TOOLLEDGER_DATA, else ./data)')
    .option('--json', 'print one JSON document on standard output')
    .addHelpText('after', help)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => context.terminal.out(text),
      // Errors are printed once, by run().
      writeErr: () => undefined,
    });
  for (const make of [serveCommand, doctorCommand, callCommand, toolsCommand, workspaceCommand, mcpCommand, auditCommand, projectionsCommand, ledgerCommand, keysCommand, privacyCommand]) {
    program.addCommand(make(context));
  }
  for (const command of everyCommand(program)) command.exitOverride().copyInheritedSettings(program).exitOverride();
  return program;
}

function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}
