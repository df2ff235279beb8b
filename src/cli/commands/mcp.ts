import { Command } from 'commander';
import { acceptMcpDefinitions } from '../../operations/servers/acceptMcpDefinitions.js';
import { addMcpServer } from '../../operations/servers/addMcpServer.js';
import { disableMcpServer } from '../../operations/servers/disableMcpServer.js';
import { enableMcpServer } from '../../operations/servers/enableMcpServer.js';
import { listMcpServers } from '../../operations/servers/listMcpServers.js';
import { refreshMcpServer } from '../../operations/servers/refreshMcpServer.js';
import { removeMcpServer } from '../../operations/servers/removeMcpServer.js';
import { serverKinds } from '../../operations/words.js';
import { counted } from '../../platform/counted.js';
import { terminalSafe } from '../../platform/terminal.js';
import { print, rows, toolledgerOf, wordOption, type CommandContext } from '../commandContext.js';

const trust =
  'Whoever runs this server sees what the model sends it, and what it answers is read by the model. Only add servers you trust.';

/** Most bytes of a token on standard input. */
const maxTokenInput = 4096;

/** `mcp add|list|enable|disable|remove|refresh|accept` */
export function mcpCommand(context: CommandContext): Command {
  return new Command('mcp')
    .description('administer the remote MCP servers of a workspace')
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(changeCommand(context, 'enable', 'use the server again', enableMcpServer, 'is enabled'))
    .addCommand(changeCommand(context, 'disable', 'stop using the server and keep its registration', disableMcpServer, 'is disabled'))
    .addCommand(changeCommand(context, 'remove', 'forget the server and its credential', removeMcpServer, 'is removed'))
    .addCommand(refreshCommand(context))
    .addCommand(acceptCommand(context));
}

function addCommand(context: CommandContext): Command {
  return new Command('add')
    .description('register a server after connecting to it once')
    .argument('<url>', 'where its MCP endpoint is, e.g. http://127.0.0.1:3001/mcp')
    .requiredOption('--name <name>', 'what to call it: 1–32 letters, digits and dashes')
    .option('--type <type>', serverKinds.join(', '), wordOption('type', serverKinds), 'generic')
    .option('--workspace <id>', 'local, g<guild id> or d<subject>', 'local')
    .option('--token-stdin', 'read its bearer token from standard input')
    .option('--token-prompt', 'ask for its bearer token')
    .action(
      async (
        url: string,
        options: { name: string; type: (typeof serverKinds)[number]; workspace: string; tokenStdin?: boolean; tokenPrompt?: boolean },
        command: Command,
      ) => {
        const token = await readToken(context, options);
        const added = await toolledgerOf(context, command).invoke(
          addMcpServer,
          { url, name: options.name, kind: options.type, workspace: options.workspace, token },
          { signal: context.signal },
        );
        print(context, added, () => [
          ...rows(
            context,
            added.tools,
            [
              { title: 'tool', cell: ({ name }) => name },
              { title: 'what it says of itself', cell: ({ description }) => description, grows: true },
            ],
            'The server offers no tools.',
          ),
          ...added.skipped.map(leftOut),
          trust,
          terminalSafe(`Server ${added.name} is registered. Try: toolledger tools list --explain`),
        ]);
      },
    );
}

async function readToken(context: CommandContext, options: { tokenStdin?: boolean; tokenPrompt?: boolean }): Promise<string | null> {
  if (options.tokenStdin === true) return (await context.terminal.readInput(maxTokenInput)).trim();
  if (options.tokenPrompt === true) return context.terminal.askSecret('Token: ', context.signal);
  return null;
}

function leftOut({ name, text }: { readonly name: string | null; readonly text: string }): string {
  return terminalSafe(`Left out: ${name ?? '(no usable name)'}: ${text}.`);
}

function changeLines({ added, changed, removed }: { readonly added: string[]; readonly changed: string[]; readonly removed: string[] }): readonly string[] {
  if (added.length + changed.length + removed.length === 0) return ['Nothing has changed since it was last looked at.'];
  const line = (what: string, names: string[]): string[] => (names.length === 0 ? [] : [terminalSafe(`${what}: ${names.join(', ')}.`)]);
  return [...line('New', added), ...line('Warning: the definition changed of', changed), ...line('No longer offered', removed)];
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('the servers of a workspace')
    .option('--workspace <id>', 'local, g<guild id> or d<subject>', 'local')
    .action(async ({ workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(listMcpServers, { workspace }, { signal: context.signal });
      print(context, answer, () =>
        rows(
          context,
          answer.servers,
          [
            { title: 'name', cell: ({ name }) => name },
            { title: 'where', cell: ({ address }) => address },
            { title: 'state', cell: ({ state }) => state },
            { title: 'type', cell: ({ kind }) => kind },
            { title: 'tools', cell: ({ toolNames, moreTools }) => namesOf(toolNames, moreTools), grows: true },
          ],
          `No server is registered in ${workspace}. Try: toolledger mcp add URL --name NAME`,
        ),
      );
    });
}

function namesOf(names: readonly string[] | null, more: number): string {
  if (names === null) return 'unknown';
  if (names.length === 0) return 'none';
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function changeCommand(
  context: CommandContext,
  name: string,
  description: string,
  wish: typeof enableMcpServer | typeof disableMcpServer | typeof removeMcpServer,
  done: string,
): Command {
  return new Command(name)
    .description(description)
    .argument('<name>')
    .option('--workspace <id>', 'local, g<guild id> or d<subject>', 'local')
    .action(async (server: string, { workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(wish, { name: server, workspace }, { signal: context.signal });
      print(context, answer, () => [terminalSafe(`Server ${server} ${done}${answer.changed ? '' : ' already'}.`)]);
    });
}

function refreshCommand(context: CommandContext): Command {
  return new Command('refresh')
    .description('connect now and list the server\'s tools again')
    .argument('<name>')
    .option('--workspace <id>', 'local, g<guild id> or d<subject>', 'local')
    .action(async (server: string, { workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(refreshMcpServer, { name: server, workspace }, { signal: context.signal });
      print(context, answer, () => [
        terminalSafe(`Server ${server} offers ${counted(answer.tools, 'tool')}, ${answer.skipped.length} left out.`),
        ...answer.skipped.map(leftOut),
        ...changeLines(answer.changes),
        ...(answer.notAccepted.length === 0
          ? []
          : [terminalSafe(`Not accepted yet: ${answer.notAccepted.join(', ')}. The policy hold keeps them out until: toolledger mcp accept ${server}`)]),
      ]);
    });
}

function acceptCommand(context: CommandContext): Command {
  return new Command('accept')
    .description('accept the tool definitions a server has now (policy `hold` uses only accepted ones)')
    .argument('<name>')
    .option('--workspace <id>', 'local, g<guild id> or d<subject>', 'local')
    .action(async (server: string, { workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(acceptMcpDefinitions, { name: server, workspace }, { signal: context.signal });
      print(context, answer, () => [
        terminalSafe(answer.accepted.length === 0 ? `Nothing of ${server} was waiting to be accepted.` : `Accepted of ${server}: ${answer.accepted.join(', ')}.`),
      ]);
    });
}
