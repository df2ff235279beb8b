import { Command } from 'commander';
import { backupLedger } from '../../operations/ledger/backupLedger.js';
import { sealLedger } from '../../operations/ledger/sealLedger.js';
import { verifyLedger } from '../../operations/ledger/verifyLedger.js';
import { Fault } from '../../platform/fault.js';
import type { JsonValue } from '../../platform/json.js';
import { terminalSafe } from '../../platform/terminal.js';
import { endProgress, print, progressLine, toolledgerOf, type CommandContext } from '../commandContext.js';
import type { RestoredLedger } from '../toolledger.js';

/** `ledger verify|accept-loss|backup|restore` */
export function ledgerCommand(context: CommandContext): Command {
  const ledger = new Command('ledger').description('check the ledger itself');
  ledger
    .command('verify')
    .description('check every leaf, position and revision; exit code 3 when something is damaged')
    .action(async (_options: object, command: Command) => {
      const report = await toolledgerOf(context, command).invoke(
        verifyLedger,
        {},
        { signal: context.signal, onProgress: progressLine(context, verifyProgress) },
      );
      endProgress(context);
      if (report.damage !== null) {
        const { position, kind, detail } = report.damage;
        throw new Fault('damaged', kind, `The ledger is damaged${position === null ? '' : ` at position ${position}`}: ${detail}`, { position, events: report.events });
      }
      print(context, { events: report.events, ok: true }, () => [`${report.events} events are as they were written.`]);
    });
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
              sealed ? `${seal.size} events are sealed, in epoch ${seal.epoch}.` : `Nothing was added since ${seal.size} events were sealed, in epoch ${seal.epoch}.`,
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
            : `Going on with new keys. What was sealed for ${lost.subjects} people up to position ${lost.upTo} is unreadable for ever; when they come back, they are somebody new.`,
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
  ledger
    .command('backup')
    .description('copy the ledger into one file, also while it is served, and check the copy; keys are backed up with `keys backup`')
    .argument('<file>', 'must not exist yet')
    .action(async (file: string, _options: object, command: Command) => {
      const made = await toolledgerOf(context, command).invoke(backupLedger, { file }, { signal: context.signal, onProgress: progressLine(context, copyProgress) });
      endProgress(context);
      print(context, made, () => [`${made.events} events (${made.bytes} bytes) are in ${made.file}, checked. The keys are not in it; back them up with \`toolledger keys backup\`.`]);
    });
  ledger
    .command('restore')
    .description('put a backup in the place of the ledger, checked; begins a new epoch and rebuilds the views at the next start')
    .argument('<file>', 'made by `ledger backup`')
    .option('--force', 'take the place of a ledger that is there')
    .action(async (file: string, { force }: { force?: boolean }, command: Command) => {
      const restored = await toolledgerOf(context, command).restoreLedger(file, { force: force === true, signal: context.signal, onProgress: progressLine(context, copyProgress) });
      endProgress(context);
      print(context, restored, () => [`${restored.events} events are restored; what follows is epoch ${restored.epoch}.`, readable(restored)]);
    });
  return ledger;
}

function copyProgress(progress: JsonValue): string {
  return (progress as { total: number | null }).total === null ? 'copying' : verifyProgress(progress);
}

/** What can be shown of it, for people. */
function readable({ people, unreadable, hasKeys }: RestoredLedger): string {
  const clear = 'Times, people as pseudonyms, tools, outcomes, reasons, settings and servers are all there.';
  if (people === 0) return `${clear} No values are sealed in it.`;
  if (unreadable.people === 0) return `${clear} The sealed arguments, results and texts of all ${people} people can be opened.`;
  const sealed = `The arguments, results and texts of ${unreadable.people} of ${people} people (events: ${unreadable.events}) cannot be opened`;
  return hasKeys
    ? `${clear} ${sealed}: they were erased, or their keys are not here. A newer backup of the keys may have them: \`toolledger keys restore FILE\`.`
    : `${clear} ${sealed}: there is no keys.db. Nothing starts until \`toolledger keys restore FILE\` brings the keys back.`;
}

function verifyProgress(progress: JsonValue): string {
  const { done, total } = progress as { done: number; total: number };
  return `verifying: ${done} of ${total} events`;
}
