import { Command } from 'commander';
import { openPerson } from '../../../operations/privacy/openPerson.js';
import { readPerson } from '../../../operations/privacy/readPerson.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import type { Toolledger } from '../../toolledger.js';
import { personDocument, type PersonEntry } from './personDocument.js';
import { writeNewFile } from './newFile.js';
import { counted } from '../../../platform/text/counted.js';

/** `privacy export`: one JSON document with everything readable of a person, in constant memory. */
export function exportPersonCommand(context: CommandContext): Command {
  return new Command('export')
    .description('everything that can be read of a person, as one JSON document; that it was handed out is recorded')
    .requiredOption('--user <id>', 'the person, by chat id')
    .option('--out <file>', 'into a new file that only you can read; default: standard output')
    .action(async ({ user, out }: { user: string; out?: string }, command: Command) => {
      const toolledger = toolledgerOf(context, command);
      const write = async (pour: (text: string) => Promise<void>): Promise<number> => {
        const opened = await toolledger.invoke(openPerson, { user }, { signal: context.signal });
        return personDocument({ user, ...opened }, () => entriesOf(toolledger, opened, context.signal), pour);
      };
      if (out === undefined) {
        await write((text) => context.terminal.pour(text));
        return;
      }
      const events = await writeNewFile(out, write);
      print(context, { file: out, events }, () => [`${out} holds ${counted(events, 'event')}. Hand it to nobody but the person.`]);
    });
}

async function* entriesOf(toolledger: Toolledger, opened: { readonly subject: string; readonly opening: number; readonly upTo: string }, signal: AbortSignal): AsyncGenerator<PersonEntry> {
  for (let after: string | null = null; ; ) {
    const page: { entries: PersonEntry[]; after: string | null } = await toolledger.invoke(readPerson, { ...opened, after }, { signal });
    yield* page.entries;
    after = page.after;
    if (after === null) return;
    signal.throwIfAborted();
  }
}
