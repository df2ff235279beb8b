import { Command } from 'commander';
import { sealLedger } from '../../operations/ledger/sealLedger.js';
import { counted } from '../../platform/text/counted.js';
import { terminalSafe } from '../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../commandContext.js';
import { backupCommand, restoreCommand } from './ledger/backup.js';
import { retentionCommand } from './ledger/retention.js';
import { verifyCommand } from './ledger/verify.js';

/** `ledger verify|seal|accept-loss|backup|restore|retention` */
export function ledgerCommand(context: CommandContext): Command {
  const ledger = new Command('ledger').description('check the ledger itself');
  ledger
    .command('seal')
    .description('sign the ledger as it is now; `serve` does it by itself')
    .option('--rotate-key', 'with a new key, which the old one vouches for')
    .action(async ({ rotateKey }: { rotateKey?: boolean }, command: Command) => {
      const done = await toolledgerOf(context, command).invoke(sealLedger, { rotateKey: rotateKey === true }, { signal: context.signal });
      print(context, done, ({ sealed, seal }) =>
        seal === null
          ? ['The ledger is empty; there is nothing to sign.']
          : [
              sealed ? `Sealed: ${counted(seal.size, 'event')}, in epoch ${seal.epoch}.` : `Nothing was added since the last seal, of ${counted(seal.size, 'event')} in epoch ${seal.epoch}.`,
              `Root: ${seal.root}`,
              `Public key, for those who check: ${terminalSafe(seal.key)}`,
            ],
      );
    });
  ledger
    .command('accept-loss')
    .description('go on with a ledger that lost its newest events; records it and rebuilds the views')
    .option('--keys', 'instead, go on without keys that are lost for good: what was sealed with them is unreadable for ever')
    .action(async ({ keys }: { keys?: true }, command: Command) => {
      if (keys === true) {
        const lost = await toolledgerOf(context, command).acceptKeyLoss();
        print(context, { accepted: lost }, () => [
          lost === null
            ? "Nobody's key is missing; nothing was changed."
            : `Going on with new keys. What was sealed for ${counted(lost.subjects, 'person', 'people')} up to position ${lost.upTo} is unreadable for ever; when they come back, they are somebody new.`,
        ]);
        return;
      }
      const accepted = await toolledgerOf(context, command).acceptLoss();
      print(context, { accepted }, () =>
        accepted === null
          ? ['Nothing is missing; nothing was changed.']
          : [`Going on in epoch ${accepted.epoch} with ${accepted.kept === null ? 'an empty ledger' : `position ${accepted.kept}`}; lost is ${accepted.missing === null ? 'the key that sealed it' : `everything up to position ${accepted.missing}`}.`],
      );
    });
  return ledger.addCommand(verifyCommand(context)).addCommand(backupCommand(context)).addCommand(restoreCommand(context)).addCommand(retentionCommand(context));
}
