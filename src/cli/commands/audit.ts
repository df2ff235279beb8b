import { Command } from 'commander';
import type { z } from 'zod';
import { openCall } from '../../operations/calls/openCall.js';
import { searchCalls } from '../../operations/calls/searchCalls.js';
import { settleCall } from '../../operations/calls/settleCall.js';
import { showCall } from '../../operations/calls/showCall.js';
import { callOutcomes } from '../../operations/words.js';
import { numberOption, print, rows, toolledgerOf, whenOption, wordOption, type CommandContext } from '../commandContext.js';
import { callLife } from '../format/callLife.js';
import { clockTime } from '../format/time.js';

/** `audit search|show|settle` */
export function auditCommand(context: CommandContext): Command {
  return new Command('audit')
    .description('find calls and read their whole life')
    .addCommand(searchCommand(context))
    .addCommand(showCommand(context))
    .addCommand(settleCommand(context));
}

function searchCommand(context: CommandContext): Command {
  return new Command('search')
    .description('list calls, newest first')
    .option('--since <time>', 'recorded at or after: ISO 8601 with offset, a date, or an age like 15m, 24h, 7d', whenOption)
    .option('--until <time>', 'recorded before', whenOption)
    .option('--workspace <id>')
    .option('--channel <id>')
    .option('--user <id>', 'a person, by chat id')
    .option('--subject <id>', 'a person, by ledger id')
    .option('--tool <name>')
    .option('--server <name>', 'an MCP server, by name or id')
    .option('--outcome <outcome>', callOutcomes.join(', '), wordOption('outcome', callOutcomes))
    .option('--reason <code>', 'a reason code of a refusal or failure')
    .option('--text <words>', 'words that must all occur; end a word with * for a prefix')
    .option('--limit <n>', 'most calls to list, 1 to 1000', numberOption, 50)
    .option('--oldest', 'oldest first')
    .option('--cursor <cursor>', 'go on where the page before ended')
    .action(async ({ oldest, ...filter }: z.input<typeof searchCalls.input> & { oldest?: boolean }, command: Command) => {
      const page = await toolledgerOf(context, command).invoke(
        searchCalls,
        { ...filter, order: oldest === true ? 'oldest' : 'newest' },
        { signal: context.signal },
      );
      print(context, page, () => [
        ...rows(
          context,
          page.calls,
          [
            { title: 'recorded', cell: ({ recordedAt }) => clockTime(recordedAt), whole: true },
            { title: 'call', cell: ({ callId }) => callId, whole: true },
            { title: 'tool', cell: ({ tool }) => tool ?? '(unknown)' },
            { title: 'outcome', cell: ({ outcome }) => outcome, whole: true },
            ...(page.calls.every(({ workspace }) => workspace === 'local') ? [] : [{ title: 'workspace', cell: ({ workspace }: { workspace: string }) => workspace }]),
            { title: 'why', cell: ({ reasons }) => reasons.join(' '), grows: true },
          ],
          'No calls match.',
        ),
        ...(page.cursor === null ? [] : [`More: add --cursor ${page.cursor}`]),
      ]);
    });
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
