import { Command } from 'commander';
import { addMcpServer } from '../../../operations/servers/registering/addMcpServer.js';
import { serverKinds } from '../../../operations/words.js';
import { quoteGiven } from '../../../platform/given.js';
import { terminalSafe } from '../../../platform/terminal.js';
import { print, toolledgerOf, wordOption, type CommandContext } from '../../commandContext.js';
import { foundLines } from './foundLines.js';
import { readToken, type TokenOptions } from './tokenInput.js';
import { workspaceOption } from './workspaceOption.js';

const trust = [
  'Trusting a server means: whoever runs it sees what the model sends it, its answers are',
  'read by the model, and what it says of its tools can mislead the model.',
  'Only add servers you trust. `toolledger mcp disable` stops using one at once.',
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
        ...foundLines(context, added.name, added),
        ...added.sameUrl.map((other) => terminalSafe(`Warning: the same URL is registered as ${other} already. Tools that both offer are used of neither; toolledger mcp remove NAME takes one away.`)),
        ...trust,
        ...(added.name === name.trim() ? [] : [terminalSafe(`The name ${quoteGiven(name)} was made ${added.name}: names have no white space.`)]),
        terminalSafe(`Server ${added.name} is registered. Try: toolledger tools list --explain`),
      ]);
    });
}
