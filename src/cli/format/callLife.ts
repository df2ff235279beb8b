import type { z } from 'zod';
import { operatorOf } from '../../operations/operatorOf.js';
import { personName } from '../../operations/personName.js';
import type { RecordedToolDefinition } from '../../events/catalogue/toolDefinition.js';
import type { turnCalls } from '../../operations/calls/turnCalls.js';
import type { showCall } from '../../operations/calls/showCall.js';
import { terminalSafe } from '../../platform/text/terminal.js';
import { jsonText } from './jsonText.js';
import { table } from './table.js';
import { clockTime, localTime } from './time.js';
import { who } from './who.js';

type CallLife = z.output<typeof showCall.output>;
type Entry = CallLife['entries'][number];

/** A call with what was asked for beside its events. */
export interface ShownLife extends CallLife {
  /** Absent when it was not asked for; null when the call went by none. */
  readonly definition?: RecordedToolDefinition | null;
  /** Null when the call belongs to no turn; `others` null when they cannot be read, and why. */
  readonly turn: { readonly others: z.output<typeof turnCalls.output>['calls'] | null; readonly problem?: string } | null;
}

type Notes = readonly { readonly path: string; readonly rule: string }[];

const sealed = '[sealed]';

/** The life of a call for people to read: each event with its time, what it says, and what was redacted by which rule. */
export function callLife(life: ShownLife, columns: number | null): readonly string[] {
  if (life.entries.every(({ type }) => type === 'PayloadDropped')) return droppedLines(life);
  const steps = life.entries.map(({ type }) => type.replace('ToolCall', '')).join(' → ');
  const others = life.entries.some(({ personal }) => personal.some(({ values }) => values === sealed));
  return [
    terminalSafe(`Call ${life.callId} in workspace ${life.workspace}: ${steps}`),
    ...life.entries.flatMap(entryLines),
    ...judgedLines(life),
    ...shownLines(life),
    ...(life.definition === undefined ? [] : ['', ...definitionLines(life.definition)]),
    ...(life.turn === null ? [] : ['', ...turnLines(life.turn, columns)]),
    ...(others ? ['', "[sealed]: another person's values. --open shows them, on record."] : []),
  ];
}

function droppedLines({ callId, entries }: ShownLife): readonly string[] {
  return [
    terminalSafe(`Call ${callId}: what it was is not kept any more. It was dropped when its time was over; exports made before have it.`),
    ...entries.map(({ recordedAt, position, leaf }) => `${localTime(recordedAt)}  position ${position}, leaf ${leaf}`),
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
    ...entry.personal.map(({ subject, values }) => `  values of ${terminalSafe(personName(subject, operatorOf(entry)))}: ${jsonText(values)}`),
    ...(touched.length === 0 ? [] : ['  redacted:', ...touched.map(({ path, rule }) => terminalSafe(`    ${path === '' ? '(all of it)' : path}: ${rule}`))]),
    ...(typeof deadline === 'number' ? [`  given up at: ${localTime(new Date(deadline).toISOString())}`] : []),
    ...(basis === undefined ? [] : [`  judged on revisions (null: nothing recorded): ${jsonText(basis)}`]),
  ];
}

function judgedLines({ judged, entries: [first] }: ShownLife): readonly string[] {
  if (judged === null || first === undefined) return [];
  const { workspace, switch: on, definition, definitionPolicy, server } = judged;
  return [
    '',
    'What it was judged on, as it was then:',
    `  workspace: ${workspace}`,
    `  switch of the tool: ${on === null ? 'not set, so its default' : on ? 'on' : 'off'}`,
    ...(definition === null ? [] : [`  definition: ${definition}${server === null ? '' : server.accepted ? ', accepted' : ', not accepted by anybody'}`]),
    ...(definitionPolicy === null ? [] : [`  definition policy: ${definitionPolicy.policy ?? 'not on record'} (${definitionPolicy.from === 'workspace' ? 'set for the workspace' : 'the deployment\u2019s, as MCP_DEFINITION_POLICY said then'})`]),
    ...(server === null ? [] : [terminalSafe(`  server: ${server.name} (${server.kind}), ${server.enabled ? 'enabled' : 'disabled'}`)]),
    ...(server === null || server.account === null ? [] : [terminalSafe(`  account: of ${personName(server.account.signer, operatorOf(first))}, signed in at ${server.account.issuer} since ${localTime(server.account.since)} (sign-in ${server.account.signInId})`)]),
  ];
}

function shownLines({ shown, entries: [first] }: ShownLife): readonly string[] {
  if (first === undefined || first.turn === null) return [];
  if (shown === null) {
    return ['', 'No list of tools is on record for its turn before it. What could be used then:', `  toolledger tools list --as-of ${first.recordedAt} --explain`];
  }
  return [
    '',
    `What its turn had been shown (${localTime(shown.recordedAt)}, position ${shown.position}):`,
    ...(shown.tools.length === 0 ? ['  no tool'] : shown.tools.map(({ name, definition }) => terminalSafe(`  ${name}, definition ${definition}`))),
    ...shown.leftOut.map(({ name, reasons }) => terminalSafe(`  not ${name}: ${reasons.join(', ')}`)),
    ...shown.undiscovered.map(({ server, reason }) => terminalSafe(`  nothing of server ${server}, whose tools were not known yet (${reason})`)),
  ];
}

function definitionLines(definition: RecordedToolDefinition | null): readonly string[] {
  return definition === null ? ['It went by no recorded definition.'] : ['The definition it went by:', ...jsonText(definition, 2).split('\n').map((line) => `  ${line}`)];
}

function turnLines({ others, problem }: NonNullable<ShownLife['turn']>, columns: number | null): readonly string[] {
  if (others === null) return [terminalSafe(`What else its turn did cannot be read: ${problem ?? ''}`)];
  if (others.length === 0) return ['Its turn made no other calls.'];
  return [
    'What else its turn did:',
    ...table(
      others,
      [
        { title: 'recorded', cell: ({ recordedAt }) => clockTime(recordedAt), whole: true },
        { title: 'call', cell: ({ callId }) => callId, whole: true },
        { title: 'tool', cell: ({ tool }) => tool ?? '(unknown)' },
        { title: 'outcome', cell: ({ outcome }) => outcome, whole: true },
        { title: 'why', cell: ({ reasons }) => reasons.join(' '), grows: true },
      ],
      columns,
    ),
  ];
}
