import { Command } from 'commander';
import { proveCall } from '../../../operations/ledger/proveCall.js';
import { counted } from '../../../platform/text/counted.js';
import { Fault } from '../../../platform/fault.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { writeNewFile } from '../privacy/newFile.js';

/** `audit prove` */
export function proveCommand(context: CommandContext): Command {
  return new Command('prove')
    .description('write a proof of one call that others can check without this ledger; seals first where needed')
    .argument('<call>', 'the call id that `call` and `audit search` print, or the one you gave with --call-id')
    .requiredOption('--out <file>', 'where to write it; must not exist yet')
    .option('--workspace <id>', 'where you gave that id', 'local')
    .option('--user <id>', 'who you gave it for, by chat id')
    .option('--open', "let whoever has the proof read this call's sealed values, and nothing else; that you did so is recorded")
    .action(async (callId: string, { out, ...asked }: { out: string; workspace: string; user?: string; open?: boolean }, command: Command) => {
      if (out === '') throw new Fault('usage', 'no_file', '--out was given an empty text; it takes a file.');
      const { invoke } = toolledgerOf(context, command);
      // Before anything is opened on record: a file that cannot be made is no reason to.
      const { text, ...made } = await writeNewFile(out, async (pour) => {
        const proof = await invoke(proveCall, { callId, ...asked }, { signal: context.signal });
        await pour(proof.text);
        return proof;
      });
      print(context, { ...made, bytes: Buffer.byteLength(text), file: out }, () => [
        terminalSafe(`${out} proves call ${made.callId} (${counted(made.events, 'event')}) in the ledger as it was with ${counted(made.size, 'event')}.`),
        'Whoever has it checks it with:',
        terminalSafe(`  toolledger audit verify FILE --key '${made.key}'`),
        'Give them the key another way than the proof: a proof says by itself that nothing was changed, not whose it is.',
        ...(made.opens.length === 0 ? [] : [terminalSafe(`It opens the sealed values of ${made.opens.join(', ')} in this call. That is on record.`)]),
      ]);
    });
}
