import { Command } from 'commander';
import { verifyLedger } from '../../operations/ledger/verifyLedger.js';
import { Fault } from '../../platform/fault.js';
import type { JsonValue } from '../../platform/json.js';
import { endProgress, print, progressLine, toolledgerOf, type CommandContext } from '../commandContext.js';

/** `ledger verify|accept-loss` */
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
    .command('accept-loss')
    .description('go on with a ledger that lost its newest events; records it and rebuilds the views')
    .action(async (_options: object, command: Command) => {
      const accepted = await toolledgerOf(context, command).acceptLoss();
      print(context, { accepted }, () =>
        accepted === null
          ? ['Nothing is missing; nothing was changed.']
          : [`Going on in epoch ${accepted.epoch} with ${accepted.kept === null ? 'an empty ledger' : `position ${accepted.kept}`}; lost is everything up to position ${accepted.missing}.`],
      );
    });
  return ledger;
}

function verifyProgress(progress: JsonValue): string {
  const { done, total } = progress as { done: number; total: number };
  return `verifying: ${done} of ${total} events`;
}
