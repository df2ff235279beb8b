import type { z } from 'zod';
import type { estimateMcpPolicy } from '../../operations/servers/replay/estimateMcpPolicy.js';
import { durationText } from '../../platform/time/duration.js';
import { terminalSafe } from '../../platform/text/terminal.js';
import { table } from './table.js';
import { shortTime } from './time.js';

type Estimate = z.output<typeof estimateMcpPolicy.output>;
type Figures = Estimate['figures']['recorded'];

/** An estimate for people to read: what it is of, both policies side by side, each recovery, and what was taken to be true. */
export function policyEstimate(answer: Estimate, columns: number | null): readonly string[] {
  const { name, workspace, serverId, otherIds, from, to, present, estimated, recordedUnderPresent, figures, recoveries, assumptions } = answer;
  const row = (what: string, of: (figure: Figures) => string) => ({ what, recorded: of(figures.recorded), estimate: of(figures.estimated) });
  const rows = [
    { what: 'first quarantine', recorded: durationText(present.cooldownMs), estimate: durationText(estimated.cooldownMs) },
    { what: 'at most', recorded: durationText(present.capMs), estimate: durationText(estimated.capMs) },
    { what: 'disabled by itself after', recorded: durationText(present.autoDisableMs), estimate: durationText(estimated.autoDisableMs) },
    row('attempts', ({ attempts }) => String(attempts)),
    row('of them failed', ({ failures }) => String(failures)),
    row('time in quarantine', ({ quarantinedMs }) => durationText(quarantinedMs)),
    row('needed and turned away', ({ turnedAway }) => String(turnedAway)),
    row('disabled by itself', ({ autoDisabledAt }) => (autoDisabledAt.length === 0 ? 'never' : autoDisabledAt.map((at) => shortTime(at)).join(', '))),
  ];
  return [
    terminalSafe(`An ESTIMATE of another policy for server ${name} in workspace ${workspace}, id ${serverId}, replayed from what is on record`),
    `from ${shortTime(from)} to ${shortTime(to)}.`,
    ...(otherIds.length === 0 ? [] : [terminalSafe(`The name was registered more than once; --id takes one of: ${otherIds.join(', ')}`)]),
    '',
    ...table(
      rows,
      [
        { title: '', cell: ({ what }) => what },
        { title: 'on record', cell: ({ recorded }) => recorded },
        { title: 'estimate', cell: ({ estimate }) => estimate },
      ],
      columns,
    ),
    ...(recordedUnderPresent ? [] : ['', 'Some of it was recorded under another setting than the present one, which is what is shown above under "on record".']),
    '',
    ...(recoveries.length === 0 ? ['No recovery is on record.'] : recoveries.map(recoveryLine)),
    '',
    ...assumptions.map((assumption) => `Assumed: ${assumption}`),
  ];
}

function recoveryLine({ recordedAt, noticedAt, laterMs }: Estimate['recoveries'][number]): string {
  const recovered = `Recovery on record at ${shortTime(recordedAt)}: `;
  if (noticedAt === null || laterMs === null) return `${recovered}not noticed before the next failure, or the end.`;
  return recovered + (laterMs === 0 ? 'noticed at the same time.' : `noticed ${durationText(laterMs)} later, at ${shortTime(noticedAt)}.`);
}
