import { Command } from 'commander';
import { callTool } from '../../operations/calls/callTool.js';
import { doorArguments, maxArgumentBytes } from '../../operations/calls/doorArguments.js';
import { print, toolledgerOf, type CommandContext } from '../commandContext.js';
import { jsonText } from '../format/jsonText.js';
import { parseArguments } from '../parseArguments.js';

interface Options {
  readonly workspace: string;
  readonly user?: string;
  readonly channel?: string;
  readonly role?: readonly string[];
  readonly callId?: string;
  readonly turn?: string;
}

/** `call TOOL [JSON]` */
export function callCommand(context: CommandContext): Command {
  return new Command('call')
    .description('make one ledgered tool call')
    .argument('<tool>', 'name of the tool')
    .argument('[json]', 'arguments as a JSON object, or - to read them from standard input', '{}')
    .option('--workspace <id>', 'local, g<guild id> or d<subject>', 'local')
    .option('--user <id>', 'the person it is for, by chat id; without it, the operator of this machine')
    .option('--channel <id>', 'the guild channel it comes from')
    .option('--role <id...>', 'guild roles of the person it is for')
    .option('--call-id <id>', 'your own id of this call; the same id never runs twice')
    .option('--turn <id>', 'the turn it belongs to')
    .action(async (tool: string, json: string, options: Options, command: Command) => {
      const text = json === '-' ? await context.terminal.readInput(maxArgumentBytes) : json;
      const answer = await toolledgerOf(context, command).invoke(
        callTool,
        {
          tool,
          // Checked here too: what is nested too deeply does not even get through to the owner.
          arguments: doorArguments(parseArguments(text)),
          workspace: options.workspace,
          callId: options.callId ?? null,
          channel: options.channel ?? null,
          roles: [...(options.role ?? [])],
          turn: options.turn ?? null,
        },
        { onBehalfOf: options.user ?? null, signal: context.signal },
      );
      if (!answer.success) context.setExitCode(1);
      print(context, answer, () => [jsonText(answer, 2)]);
    });
}
