import type { z } from 'zod';
import type { showMcpHistory } from '../../operations/servers/replay/showMcpHistory.js';
import { terminalSafe } from '../../platform/text/terminal.js';
import { diffLines } from './diffLines.js';
import { clockTime, shortTime } from './time.js';
import { who } from './who.js';
import { windowChart } from './windowChart.js';

type History = z.output<typeof showMcpHistory.output>;

/** As wide as charts are where there is no terminal. */
const usualWidth = 80;

/** The lives of servers for people to read: how each stood, a chart of it, and what happened, by whom. */
export function serverLives({ asOf, workspace, lives }: History, columns: number | null): readonly string[] {
  return lives.flatMap((life, index) => [
    ...(index === 0 ? [] : ['']),
    ...lifeLines(life, workspace, asOf, columns ?? usualWidth),
  ]);
}

function lifeLines({ serverId, name, kind, address, registeredAt, removedAt, state, standing, windows, entries }: History['lives'][number], workspace: string, asOf: string, width: number): readonly string[] {
  return [
    terminalSafe(`Server ${name} (${kind}) at ${address} in workspace ${workspace}, id ${serverId}`),
    terminalSafe(removedAt === null ? `As of ${shortTime(asOf)}: ${state}.${standing === null ? '' : ` ${standing}`}` : `Removed at ${shortTime(removedAt)}.`),
    '',
    ...windowChart(windows, { from: registeredAt, to: removedAt ?? asOf, width }).map((line) => terminalSafe(line)),
    '',
    ...entries.flatMap((entry) => [
      terminalSafe(`${clockTime(entry.recordedAt)}  ${entry.text} (by ${who(entry)})`),
      ...diffLines(entry.diffs ?? []).map((line) => `    ${line}`),
    ]),
  ];
}
