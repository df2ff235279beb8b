import { Command } from 'commander';
import { backupLedger } from '../../../operations/ledger/backupLedger.js';
import { counted } from '../../../platform/counted.js';
import type { JsonValue } from '../../../platform/json.js';
import { endProgress, print, progressLine, toolledgerOf, type CommandContext } from '../../commandContext.js';
import type { RestoredLedger } from '../../toolledger.js';
import { verifyProgress } from './verifyProgress.js';

/** `ledger backup` */
export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('copy the ledger into one file, also while it is served, and check the copy; keys are backed up with `keys backup`')
    .argument('<file>', 'must not exist yet')
    .action(async (file: string, _options: object, command: Command) => {
      const made = await toolledgerOf(context, command).invoke(backupLedger, { file }, { signal: context.signal, onProgress: progressLine(context, copyProgress) });
      endProgress(context);
      print(context, made, () => [`${made.file} holds ${counted(made.events, 'event')} (${counted(made.bytes, 'byte')}), checked. The keys are not in it; back them up with \`toolledger keys backup\`.`]);
    });
}

/** `ledger restore` */
export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('put a backup in the place of the ledger, checked; begins a new epoch and rebuilds the views at the next start')
    .argument('<file>', 'made by `ledger backup`')
    .option('--force', 'take the place of a ledger that is there')
    .action(async (file: string, { force }: { force?: boolean }, command: Command) => {
      const restored = await toolledgerOf(context, command).restoreLedger(file, { force: force === true, signal: context.signal, onProgress: progressLine(context, copyProgress) });
      endProgress(context);
      print(context, restored, () => [`Restored: ${counted(restored.events, 'event')}. What follows is epoch ${restored.epoch}, sealed anew: those who check proofs of it need the key that \`ledger seal\` prints.`, readable(restored), 'Whoever was erased after this backup was made must be erased again, unless their key is gone already.']);
    });
}

function copyProgress(progress: JsonValue): string {
  return (progress as { total: number | null }).total === null ? 'copying' : verifyProgress(progress);
}

/** What can be shown of it, for people. */
function readable({ people, unreadable, hasKeys }: RestoredLedger): string {
  const clear = 'Times, people as pseudonyms, tools, outcomes, reasons, settings and servers are all there.';
  if (people === 0) return `${clear} No values are sealed in it.`;
  if (unreadable.people === 0) return `${clear} The sealed arguments, results and texts of everybody in it (${counted(people, 'person', 'people')}) can be opened.`;
  const sealed = `The arguments, results and texts of ${unreadable.people} of ${counted(people, 'person', 'people')} (events: ${unreadable.events}) cannot be opened`;
  return hasKeys
    ? `${clear} ${sealed}: they were erased, or their keys are not here. A newer backup of the keys may have them: \`toolledger keys restore FILE\`.`
    : `${clear} ${sealed}: there is no keys.db. Nothing starts until \`toolledger keys restore FILE\` brings the keys back.`;
}
