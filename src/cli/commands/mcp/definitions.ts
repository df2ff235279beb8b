import { Command } from 'commander';
import type { z } from 'zod';
import { acceptMcpDefinitions } from '../../../operations/servers/definitions/acceptMcpDefinitions.js';
import { refreshMcpServer } from '../../../operations/servers/definitions/refreshMcpServer.js';
import { commandIn } from '../../../operations/words.js';
import { counted } from '../../../platform/text/counted.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { diffLines } from '../../format/diffLines.js';
import { hiddenLines, instructionLines } from './listingLines.js';
import { workspaceOption } from './workspaceOption.js';

/** `mcp refresh NAME` */
export function refreshCommand(context: CommandContext): Command {
  return new Command('refresh')
    .description('connect now, also in quarantine, and list the server\'s tools again')
    .argument('<name>')
    .addOption(workspaceOption())
    .action(async (server: string, { workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(refreshMcpServer, { name: server, workspace }, { signal: context.signal });
      print(context, answer, () => [
        terminalSafe(`Server ${server} offers ${counted(answer.tools, 'tool')}, ${answer.skipped.length} left out.`),
        ...answer.skipped.map(({ text }) => terminalSafe(text)),
        ...hiddenLines([{ name: server, hidden: answer.hidden }], workspace),
        ...(answer.backInUse ? ['It was kept out of use, and is used again.'] : []),
        ...changeLines(answer.changes),
        ...diffLines(answer.diffs),
        ...(answer.instructions.changed ? instructionLines(answer.instructions) : []),
        ...notAcceptedLines(server, workspace, answer),
      ]);
    });
}

function notAcceptedLines(server: string, workspace: string, { notAccepted, policy }: Pick<z.output<typeof refreshMcpServer.output>, 'notAccepted' | 'policy'>): readonly string[] {
  if (notAccepted.length === 0) return [];
  const follows = { warn: 'they are used all the same', hold: 'they are not used until you accept them' }[policy];
  return [terminalSafe(`Not accepted yet: ${notAccepted.join(', ')}. The policy ${policy} is in force in ${workspace}: ${follows}. To accept them: ${commandIn(workspace, `mcp accept ${server}`)}`)];
}

function changeLines({ added, changed, removed }: { readonly added: string[]; readonly changed: string[]; readonly removed: string[] }): readonly string[] {
  if (added.length + changed.length + removed.length === 0) return ['Its tools are the same as when it was last looked at.'];
  const line = (what: string, names: string[]): string[] => (names.length === 0 ? [] : [terminalSafe(`${what}: ${names.join(', ')}.`)]);
  return [...line('New', added), ...line('Warning: the definition changed of', changed), ...line('No longer offered', removed)];
}

/** `mcp accept NAME` */
export function acceptCommand(context: CommandContext): Command {
  return new Command('accept')
    .description('accept the tool definitions a server has now (policy `hold` uses only accepted ones)')
    .argument('<name>')
    .addOption(workspaceOption())
    .action(async (server: string, { workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(acceptMcpDefinitions, { name: server, workspace }, { signal: context.signal });
      print(context, answer, () => [
        terminalSafe(answer.accepted.length === 0 ? `Nothing of ${server} was waiting to be accepted.` : `Accepted of ${server}: ${answer.accepted.join(', ')}.`),
      ]);
    });
}
