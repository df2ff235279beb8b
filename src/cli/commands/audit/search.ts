import { Command } from 'commander';
import type { z } from 'zod';
import { countCalls } from '../../../operations/calls/countCalls.js';
import { searchCalls } from '../../../operations/calls/searchCalls.js';
import { counted } from '../../../platform/text/counted.js';
import { Fault } from '../../../platform/fault.js';
import { numberOption, print, rows, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { clockTime } from '../../format/time.js';
import { withFilterOptions } from './filterOptions.js';

type Conditions = z.input<typeof countCalls.input>;

interface Paging {
  readonly limit?: number;
  readonly oldest?: true;
  readonly cursor?: string;
  readonly count?: true;
}

/** `audit search`: a page of calls, or with `--count` how many there are. */
export function searchCommand(context: CommandContext): Command {
  return withFilterOptions(new Command('search').description('list calls, newest first'))
    .option('--limit <n>', 'most calls to list, 1 to 1000 (default: 50)', numberOption)
    .option('--oldest', 'oldest first')
    .option('--cursor <cursor>', 'go on where the page before ended')
    .option('--count', 'only say how many calls match')
    .action(async ({ limit, oldest, cursor, count, ...conditions }: Conditions & Paging, command: Command) => {
      if (count !== true) {
        await list(context, command, { ...conditions, limit, cursor, order: oldest === true ? 'oldest' : 'newest' });
      } else if (limit === undefined && oldest === undefined && cursor === undefined) {
        const found = await toolledgerOf(context, command).invoke(countCalls, conditions, { signal: context.signal });
        print(context, found, () => [String(found.count)]);
        // Beside the number, which programs read.
        if (!context.json) for (const line of beside(found)) context.terminal.err(`${line}\n`);
      } else {
        throw new Fault('usage', 'count_has_no_pages', '--count says how many calls match, on all pages; leave out --limit, --oldest and --cursor.');
      }
    });
}

/** What else people must know of what was found, or not found. */
function beside({ personKnown, workspaceKnown, countedRefusals }: Pick<z.output<typeof countCalls.output>, 'personKnown' | 'workspaceKnown' | 'countedRefusals'>): readonly string[] {
  if (!personKnown) return ['Nobody is known here by the id of --user: they never called, or they were erased.'];
  if (!workspaceKnown) return ['The workspace of --workspace was never opened here; `toolledger workspace list` lists those there are.'];
  if (countedRefusals === null || (countedRefusals.total === 0 && countedRefusals.complete)) return [];
  const { total, complete } = countedRefusals;
  return [
    `Not among them: ${complete ? '' : 'at least '}${counted(total, 'refusal')} that ${total === 1 ? 'was' : 'were'} only counted, because their caller had more than 60 in a minute. \`audit export\`, without filters that only calls meet, has the counts (ToolCallRefusalsCounted).`,
  ];
}

async function list(context: CommandContext, command: Command, filter: z.input<typeof searchCalls.input>): Promise<void> {
  const page = await toolledgerOf(context, command).invoke(searchCalls, filter, { signal: context.signal });
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
    ...beside(page),
    ...(page.cursor === null ? [] : [`More: add --cursor ${page.cursor}`]),
  ]);
}
