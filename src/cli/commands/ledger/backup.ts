import { Command } from 'commander';
import { backupLedger } from '../../../operations/ledger/backupLedger.js';
import { counted } from '../../../platform/text/counted.js';
import type { JsonValue } from '../../../platform/json.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { endProgress, print, progressLine, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { restoredLines } from './restoredLines.js';
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
      print(context, restored, () => restoredLines(restored).map((line) => terminalSafe(line)));
    });
}

function copyProgress(progress: JsonValue): string {
  return (progress as { total: number | null }).total === null ? 'copying' : verifyProgress(progress);
}
