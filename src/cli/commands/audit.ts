import { Command } from 'commander';
import { openCall } from '../../operations/calls/openCall.js';
import { settleCall } from '../../operations/calls/settleCall.js';
import { showCall } from '../../operations/calls/showCall.js';
import { print, toolledgerOf, wordOption, type CommandContext } from '../commandContext.js';
import { callLife } from '../format/callLife.js';
import { checkExportCommand, exportCommand } from './audit/export.js';
import { proveCommand } from './audit/prove.js';
import { searchCommand } from './audit/search.js';
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

function showCommand(context: CommandContext): Command {
  return new Command('show')
    .description('the whole life of one call, read from the ledger')
    .argument('<call>', 'the call id that `call` and `audit search` print, or the one you gave with --call-id')
    .option('--workspace <id>', 'where you gave that id', 'local')
    .option('--open', "show other people's values too; that you looked is recorded")
    .action(async (callId: string, { workspace, open }: { workspace: string; open?: true }, command: Command) => {
      const { invoke } = toolledgerOf(context, command);
      print(context, await invoke(open === true ? openCall : showCall, { callId, workspace }, { signal: context.signal }), callLife);
    });
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
