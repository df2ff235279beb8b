import { resolve } from 'node:path';
import { Command } from 'commander';
import { backUpKeys } from '../../operations/keys/backUpKeys.js';
import { counted } from '../../platform/text/counted.js';
import { terminalSafe } from '../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../commandContext.js';

/** Most bytes of a master key on standard input. */
const maxKeyInput = 4096;

/** `keys backup|restore|rotate` */
export function keysCommand(context: CommandContext): Command {
  return new Command('keys')
    .description("people's keys, and the master key that seals them")
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(rotateCommand(context));
}

function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('copy the keys into one file, also while they are served, and check the copy')
    .argument('<file>', 'must not exist yet')
    .action(async (file: string, _options: object, command: Command) => {
      const made = await toolledgerOf(context, command).invoke(backUpKeys, { file: resolve(file) }, { signal: context.signal });
      print(context, made, () => [
        terminalSafe(`The keys of ${counted(made.people, 'person', 'people')} (${counted(made.bytes, 'byte')}) are in ${made.file}, checked.`),
        'The master key is not in it: keep that in another place. Let backups expire, because they open what is erased later.',
      ]);
    });
}

function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('put a backup in the place of the keys; whoever was erased since stays erased')
    .argument('<file>', 'made by `keys backup`')
    .option('--force', 'over keys that are there, or when the backup lacks people who acted lately')
    .action(async (file: string, { force }: { force?: true }, command: Command) => {
      const restored = await toolledgerOf(context, command).restoreKeys(file, force === true);
      print(context, restored, () => [
        `The keys of ${counted(restored.people, 'person', 'people')} are back.${restored.destroyed === 0 ? '' : ` Destroyed again were those of ${counted(restored.destroyed, 'person', 'people')} erased since.`}`,
      ]);
    });
}

function rotateCommand(context: CommandContext): Command {
  return new Command('rotate')
    .description('seal the keys with another master key')
    .option('--new-key-stdin', 'read the new master key (32 bytes in base64) from standard input; needed when it comes from TOOLLEDGER_MASTER_KEY')
    .action(async ({ newKeyStdin }: { newKeyStdin?: true }, command: Command) => {
      const newKey = newKeyStdin === true ? (await context.terminal.readInput(maxKeyInput)).trim() : null;
      const rotated = await toolledgerOf(context, command).rotateKeys(newKey);
      print(context, rotated, () => [
        rotated.masterKeyFile === null
          ? 'The keys are sealed with the new master key. Set TOOLLEDGER_MASTER_KEY to it now: the old one opens nothing any more.'
          : terminalSafe(`The keys are sealed with the new master key in ${rotated.masterKeyFile}. Copy it to another place now.`),
        'Backups made before need the old master key: make a new backup, then let them expire.',
        ...(rotated.swept ? [] : ['A process that reads keys.db keeps old pages in it, which the old master key opens. Run this again without it.']),
      ]);
    });
}
