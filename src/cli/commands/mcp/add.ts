import { Command } from 'commander';
import type { z } from 'zod';
import { addMcpServer } from '../../../operations/servers/registering/addMcpServer.js';
import { commandIn, serverKinds } from '../../../operations/words.js';
import { quoteGiven } from '../../../platform/text/given.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, wordOption, type CommandContext } from '../../commandContext.js';
import { foundLines } from './foundLines.js';
import { readToken, type TokenOptions } from './tokenInput.js';
import { workspaceOption } from './workspaceOption.js';

const trust = (stop: string): readonly string[] => [
  'Trusting a server means: whoever runs it sees what the model sends it, its answers are',
  'read by the model, and what it says of its tools can mislead the model.',
  `Only add servers you trust. \`${stop}\` stops using it at once.`,
];

interface Options extends TokenOptions {
  readonly name: string;
  readonly type: (typeof serverKinds)[number];
  readonly workspace: string;
}

/** `mcp add URL --name N`; never asks whether it may. */
export function addCommand(context: CommandContext): Command {
  return new Command('add')
    .description('register a server after connecting to it once')
    .argument('<url>', 'where its MCP endpoint is, e.g. http://127.0.0.1:3001/mcp')
    .requiredOption('--name <name>', 'what to call it: 1–32 letters, digits and dashes')
    .option('--type <type>', serverKinds.join(', '), wordOption('type', serverKinds), 'generic')
    .addOption(workspaceOption())
    .option('--token-stdin', 'read its bearer token from standard input')
    .option('--token-prompt', 'ask for its bearer token')
    .action(async (url: string, options: Options, command: Command) => {
      const token = await readToken(context, options);
      const { name, type: kind, workspace } = options;
      const added = await toolledgerOf(context, command).invoke(addMcpServer, { url, name, kind, workspace, token }, { signal: context.signal });
      print(context, added, () => [
        ...sameUrlLines(added, workspace),
        ...foundLines(context, { name: added.name, workspace }, added),
        ...trust(commandIn(workspace, `mcp disable ${added.name}`)),
        ...(added.name === name.trim() ? [] : [terminalSafe(`The name ${quoteGiven(name)} was made ${added.name}: names have no white space.`)]),
        terminalSafe(
          added.needsSignIn
            ? `Server ${added.name} is registered. Sign in: ${commandIn(workspace, `mcp sign-in ${added.name}`)}`
            : `Server ${added.name} is registered. Try: ${commandIn(workspace, 'tools list --explain')}`,
        ),
      ]);
    });
}

/** A server that is registered twice takes its own tools away, which somebody who adds it never means. */
function sameUrlLines({ name, sameUrl, hidden }: z.output<typeof addMcpServer.output>, workspace: string): readonly string[] {
  if (sameUrl.length === 0) return [];
  const collides = hidden.some(({ code }) => code === 'name_collision');
  const now = collides ? `The tools of ${[...sameUrl, name].join(' and ')} are hidden now, because all have the same names.` : 'Tools that both offer are used of neither.';
  return [terminalSafe(`Warning: the same URL is registered as ${sameUrl.join(' and ')} already. ${now} To undo it: ${commandIn(workspace, `mcp remove ${name}`)}`), ''];
}
