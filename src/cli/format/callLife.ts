import type { z } from 'zod';
import type { showCall } from '../../operations/calls/showCall.js';
import { terminalSafe } from '../../platform/terminal.js';
import { jsonText } from './jsonText.js';
import { localTime } from './time.js';

type CallLife = z.output<typeof showCall.output>;
type Entry = CallLife['entries'][number];
type Notes = readonly { readonly path: string; readonly rule: string }[];

const sealed = '[sealed]';

/** The life of a call for people to read: each event with its time, what it says, and what was redacted by which rule. */
export function callLife(life: CallLife): readonly string[] {
  const steps = life.entries.map(({ type }) => type.replace('ToolCall', '')).join(' → ');
  const others = life.entries.some(({ personal }) => personal.some(({ values }) => values === sealed));
  return [
    terminalSafe(`Call ${life.callId} in workspace ${life.workspace}: ${steps}`),
    ...life.entries.flatMap(entryLines),
    ...(others ? ['', "[sealed]: another person's values. --open shows them, on record."] : []),
  ];
}

function entryLines(entry: Entry): readonly string[] {
  const { redaction, deadline, basis, ...data } = entry.data as { readonly [field: string]: unknown };
  const result = data['result'] as { readonly redaction?: Notes } | null | undefined;
  const touched = [...((redaction as Notes | undefined) ?? []), ...(result?.redaction ?? [])];
  return [
    '',
    `${localTime(entry.recordedAt)}  ${entry.type}  (position ${entry.position})`,
    terminalSafe(`  by ${who(entry)}`),
    ...(entry.turn === null ? [] : [terminalSafe(`  turn: ${entry.turn}`)]),
    ...Object.entries(data).map(([name, value]) => `  ${terminalSafe(name)}: ${jsonText(value)}`),
    ...entry.personal.map(({ subject, values }) => `  values of ${terminalSafe(subject)}: ${jsonText(values)}`),
    ...(touched.length === 0 ? [] : ['  redacted:', ...touched.map(({ path, rule }) => terminalSafe(`    ${path === '' ? '(all of it)' : path}: ${rule}`))]),
    ...(typeof deadline === 'number' ? [`  given up at: ${localTime(new Date(deadline).toISOString())}`] : []),
    ...(basis === undefined ? [] : [`  judged on revisions (null: nothing recorded): ${jsonText(basis)}`]),
  ];
}

function who({ actor, door, onBehalfOf }: Entry): string {
  if (actor === 'system') return 'toolledger itself';
  return `${actor} through ${door}${onBehalfOf === null ? '' : `, on behalf of ${onBehalfOf}`}`;
}
