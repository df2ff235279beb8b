import { Command } from 'commander';
import type { z } from 'zod';
import type { RecordedToolDefinition } from '../../../events/catalogue/toolDefinition.js';
import { openCall } from '../../../operations/calls/openCall.js';
import { showCall } from '../../../operations/calls/showCall.js';
import { turnCalls } from '../../../operations/calls/turnCalls.js';
import { showDefinition } from '../../../operations/tools/showDefinition.js';
import { Fault } from '../../../platform/fault.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { callLife, type ShownLife } from '../../format/callLife.js';
import type { Toolledger } from '../../toolledger.js';

interface Options {
  readonly workspace: string;
  readonly user?: string;
  readonly open?: true;
  readonly definition?: true;
}

/** `audit show`: one call, what it was judged on, and what else its turn did. */
export function showCommand(context: CommandContext): Command {
  return new Command('show')
    .description('the whole life of one call, read from the ledger')
    .argument('<call>', 'the call id that `call` and `audit search` print, or the one you gave with --call-id')
    .option('--workspace <id>', 'where you gave that id', 'local')
    .option('--user <id>', 'who you gave it for, by chat id')
    .option('--open', "show other people's values too; that you looked is recorded")
    .option('--definition', "show the text of the tool's definition that the call went by")
    .action(async (callId: string, { workspace, user, open, definition }: Options, command: Command) => {
      const toolledger = toolledgerOf(context, command);
      const life = await toolledger.invoke(open === true ? openCall : showCall, { callId, workspace, ...(user !== undefined && { user }) }, { signal: context.signal });
      const shown: ShownLife = {
        ...life,
        ...(definition === true && { definition: await definitionOf(toolledger, life, context.signal) }),
        turn: await turnOf(toolledger, life, context.signal),
      };
      print(context, shown, (found) => callLife(found, context.terminal.columns));
    });
}

type Life = z.output<typeof showCall.output>;

/** @returns null when no definition is on record for the call */
async function definitionOf({ invoke }: Toolledger, { judged }: Life, signal: AbortSignal): Promise<RecordedToolDefinition | null> {
  const hash = judged?.definition ?? null;
  return hash === null ? null : (await invoke(showDefinition, { hash }, { signal })).definition;
}

/** What else the turn did is in a view; a call is shown also when that cannot be read. */
async function turnOf({ invoke }: Toolledger, { callId, workspace, entries: [first] }: Life, signal: AbortSignal): Promise<ShownLife['turn']> {
  if (first === undefined || first.turn === null) return null;
  try {
    const { calls } = await invoke(turnCalls, { workspace, turn: first.turn, around: Date.parse(first.recordedAt) }, { signal });
    return { others: calls.filter((call) => call.callId !== callId) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { others: null, problem: error.message };
  }
}
