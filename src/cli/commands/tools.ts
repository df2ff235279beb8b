import { Command } from 'commander';
import { listTools } from '../../operations/tools/listTools.js';
import { listToolsAsOf } from '../../operations/tools/listToolsAsOf.js';
import { setToolSwitch } from '../../operations/tools/setToolSwitch.js';
import { reasonLines } from '../format/reasonLines.js';
import { terminalSafe } from '../../platform/text/terminal.js';
import { print, rows, toolledgerOf, whenOption, type CommandContext } from '../commandContext.js';

/** `tools list|on|off` */
export function toolsCommand(context: CommandContext): Command {
  const tools = new Command('tools').description('what a model can call');
  tools
    .command('list')
    .description('the tools a workspace may use')
    .option('--workspace <id>', 'local, g<guild id> or d<subject>', 'local')
    .option('--explain', 'also the tools it may not use, and why not')
    .option('--as-of <time>', 'as it was then: ISO 8601 with offset, a date, or an age like 15m, 24h, 7d', whenOption)
    .action(async ({ workspace, asOf, ...options }: { workspace: string; explain?: boolean; asOf?: number }, command: Command) => {
      const explain = options.explain === true;
      const { invoke } = toolledgerOf(context, command);
      const answer = await (asOf === undefined
        ? invoke(listTools, { workspace, explain }, { signal: context.signal })
        : invoke(listToolsAsOf, { workspace, explain, asOf }, { signal: context.signal }));
      print(context, answer, () => [
        ...rows(
          context,
          answer.tools,
          [
            { title: 'tool', cell: ({ name }) => name },
            { title: 'from', cell: ({ from }) => from },
            ...(explain
              ? [
                  { title: 'available', cell: ({ available }: { available: boolean | null }) => (available === null ? 'unknown' : available ? 'yes' : 'no') },
                  {
                    title: 'why',
                    cell: ({ reasons }: { reasons: { code: string }[] }) => reasons.map(({ code }) => code).join(', '),
                    grows: true,
                  },
                ]
              : [{ title: 'what it does', cell: ({ description }: { description: string }) => description, grows: true }]),
          ],
          explain ? `There is no tool in workspace ${workspace}.` : `Workspace ${workspace} may use no tool; --explain says why.`,
        ),
        ...(explain ? reasonLines(answer.tools) : []),
        ...answer.undiscovered.map(({ server, text }) => terminalSafe(`The tools of server ${server} ${asOf === undefined ? 'are not known yet' : 'were not known then'}: ${text}`)),
        ...('builtInsRecorded' in answer && !answer.builtInsRecorded
          ? ['Which built-in tools there were then is not on record: listed are those of this program, judged by the settings of that time.']
          : []),
      ]);
    });
  for (const on of [true, false]) {
    tools
      .command(on ? 'on' : 'off')
      .description(on ? 'let a workspace use a tool' : 'keep a tool out of a workspace')
      .argument('<tool>')
      .option('--workspace <id>', 'local, g<guild id> or d<subject>', 'local')
      .action(async (tool: string, { workspace }: { workspace: string }, command: Command) => {
        const answer = await toolledgerOf(context, command).invoke(setToolSwitch, { tool, on, workspace }, { signal: context.signal });
        print(context, answer, () => [`${tool} is ${on ? 'on' : 'off'} in ${workspace}${answer.changed ? '' : ' already'}.`]);
      });
  }
  return tools;
}
