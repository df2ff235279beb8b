import { Command } from 'commander';
import { settleCall } from '../../operations/calls/settleCall.js';
import { print, toolledgerOf, wordOption, type CommandContext } from '../commandContext.js';
import { checkExportCommand, exportCommand } from './audit/export.js';
import { proveCommand } from './audit/prove.js';
import { searchCommand } from './audit/search.js';
import { showCommand } from './audit/show.js';
import { verifyCommand } from './audit/verify.js';

/** `audit search|show|export|settle|prove|verify` */
export function auditCommand(context: CommandContext): Command {
  return new Command('audit')
    .description('find calls and read their whole life')
    .addCommand(searchCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(checkExportCommand(context))
    .addCommand(showCommand(context))
    .addCommand(settleCommand(context))
    .addCommand(proveCommand(context))
    .addCommand(verifyCommand(context));
}

function settleCommand(context: CommandContext): Command {
  return new Command('settle')
    .description('say what became of a call whose outcome is unknown')
    .argument('<call>')
    .requiredOption('--verdict <verdict>', 'succeeded or failed', wordOption('verdict', ['succeeded', 'failed']))
    .requiredOption('--because <text>', 'how you know')
    .action(async (callId: string, options: { verdict: 'succeeded' | 'failed'; because: string }, command: Command) => {
      const settled = await toolledgerOf(context, command).invoke(settleCall, { callId, ...options }, { signal: context.signal });
      print(context, settled, () => [`Call ${settled.callId} is settled as ${settled.verdict}.`]);
    });
}
