import { Command } from 'commander';
import { closeWorkspace } from '../../operations/workspaces/closeWorkspace.js';
import { listWorkspaces } from '../../operations/workspaces/listWorkspaces.js';
import { openWorkspace } from '../../operations/workspaces/openWorkspace.js';
import { print, rows, toolledgerOf, type CommandContext } from '../commandContext.js';
import { shortTime } from '../format/time.js';

/** `workspace list|open|close` */
export function workspaceCommand(context: CommandContext): Command {
  const workspace = new Command('workspace').description('workspaces: local, a guild, or one person\'s direct messages');
  workspace
    .command('list')
    .description('every workspace ever opened')
    .action(async (_options: object, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(listWorkspaces, {}, { signal: context.signal });
      print(context, answer, () =>
        rows(
          context,
          answer.workspaces,
          [
            { title: 'workspace', cell: ({ workspace: id }) => id },
            { title: 'state', cell: ({ state }) => state },
            { title: 'opened', cell: ({ openedAt }) => shortTime(openedAt) },
          ],
          'No workspace was ever opened.',
        ),
      );
    });
  for (const [name, wish, done] of [
    ['open', openWorkspace, 'is open'],
    ['close', closeWorkspace, 'is closed'],
  ] as const) {
    workspace
      .command(name)
      .description(name === 'open' ? 'let a workspace use tools' : 'refuse every call of a workspace from now on')
      .argument('<workspace>', 'local, g<guild id> or d<subject>')
      .action(async (id: string, _options: object, command: Command) => {
        const answer = await toolledgerOf(context, command).invoke(wish, { workspace: id }, { signal: context.signal });
        print(context, answer, () => [`Workspace ${id} ${done}${answer.changed ? '' : ' already'}.`]);
      });
  }
  return workspace;
}
