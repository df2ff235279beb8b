import type { z } from 'zod';
import type { showCall } from '../../operations/showCall.js';
import { terminalSafe } from '../../platform/terminal.js';
import { jsonText } from './jsonText.js';
import { localTime } from './time.js';

type CallLife = z.output<typeof showCall.output>;
type Entry = CallLife['entries'][number];

/** The life of a call for people to read: each event with its time, what it says, and what was redacted by which rule. */
export function callLife(life: CallLife): readonly string[] {
  return [`Call ${terminalSafe(life.callId)} in workspace ${terminalSafe(life.workspace)}`, ...life.entries.flatMap(entryLines)];
}

function entryLines(entry: Entry): readonly string[] {
  const who = `${entry.actor} through ${entry.door}${entry.onBehalfOf === null ? '' : `, on behalf of ${entry.onBehalfOf}`}`;
  const { redaction, ...data } = entry.data as { redaction?: readonly { path: string; rule: string }[]; [field: string]: unknown };
  const result = data['result'] as { redaction?: readonly { path: string; rule: string }[] } | null | undefined;
  const touched = [...(redaction ?? []), ...(result?.redaction ?? [])];
  return [
    '',
    `${localTime(entry.recordedAt)}  ${entry.type}  (position ${entry.position})`,
    terminalSafe(`  by ${who}`),
    ...Object.entries(data).map(([name, value]) => `  ${terminalSafe(name)}: ${jsonText(value)}`),
    ...(touched.length === 0 ? [] : ['  redacted:', ...touched.map(({ path, rule }) => terminalSafe(`    ${path}: ${rule}`))]),
    ...entry.personal.map(({ subject, values }) => `  values of ${terminalSafe(subject)}: ${jsonText(values)}`),
  ];
}
