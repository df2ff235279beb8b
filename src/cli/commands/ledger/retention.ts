import { Command } from 'commander';
import type { z } from 'zod';
import { applyRetention } from '../../../operations/ledger/applyRetention.js';
import { counted } from '../../../platform/text/counted.js';
import type { JsonValue } from '../../../platform/json.js';
import { endProgress, numberOption, print, progressLine, rows, toolledgerOf, type CommandContext } from '../../commandContext.js';

type Answer = z.output<typeof applyRetention.output>;

/** `ledger retention` */
export function retentionCommand(context: CommandContext): Command {
  return new Command('retention')
    .description('say which payloads are older than RETENTION_…_DAYS allows; drop them with --apply-through')
    .option('--apply-through <position>', 'drop what a run without this option has named, up to the position it named', numberOption)
    .action(async ({ applyThrough }: { applyThrough?: number }, command: Command) => {
      const input = applyThrough === undefined ? {} : { through: applyThrough };
      const answer = await toolledgerOf(context, command).invoke(applyRetention, input, { signal: context.signal, onProgress: progressLine(context, dropProgress) });
      endProgress(context);
      print(context, answer, () => [
        ...rows(
          context,
          answer.categories,
          [
            { title: 'kind', cell: ({ category }) => category, whole: true },
            { title: 'kept for', cell: ({ keepMs }) => (keepMs === null ? 'ever' : counted(keepMs / 86_400_000, 'day')), whole: true },
            { title: 'expired', cell: ({ units, events }) => `${units} (events: ${events})` },
            { title: 'old but kept', cell: ({ kept }) => `open: ${kept.open}, held: ${kept.held}, partly newer: ${kept.newer}`, grows: true },
          ],
          'Nothing can expire.',
        ),
        ...nextStep(answer, applyThrough),
      ]);
    });
}

function nextStep({ through, exported, dropped, swept }: Answer, applied: number | undefined): readonly string[] {
  if (applied !== undefined) {
    return [
      ...(through === null ? [`Nothing that is left up to position ${applied} has expired.`] : []),
      `The payloads of ${counted(dropped, 'event')} are gone. Places, times and hashes stay; everything still verifies.`,
      ...(swept === false ? ['Not finished: a process that reads ledger.db or the text index keeps old pages in the files. Run this again without it.'] : []),
    ];
  }
  if (through === null) return ['Nothing has expired.'];
  return [
    ...(exported ? [] : ['Not everything that would go lies in an export yet: `toolledger audit export --format jsonl --out FILE`, without filters.']),
    `To drop it for ever: toolledger ledger retention --apply-through ${through}`,
  ];
}

function dropProgress(progress: JsonValue): string {
  return `dropped: ${counted((progress as { dropped: number }).dropped, 'event')}`;
}
