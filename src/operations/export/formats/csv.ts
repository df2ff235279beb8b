import { terminalSafe } from '../../../platform/text/terminal.js';
import { endingOf } from '../../../projections/callFacts.js';
import { iso } from '../../words.js';
import type { ExportEntry, ExportFormat } from '../exportEntry.js';

type Cell = string | number | null;

/** How formulas begin in one spreadsheet or another, also behind spaces and in full width. */
const formula = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
const plain = /^[\x20-\x7e]*$/;

/** The columns in order. Others read files by them: add at the end, change none. */
const columns: readonly (readonly [title: string, cell: (entry: ExportEntry) => Cell])[] = [
  ['position', ({ event }) => event.position],
  ['recorded_at', ({ event }) => iso(event.recordedAt)],
  ['occurred_at', ({ event }) => iso(event.occurredAt)],
  ['type', ({ event }) => event.type],
  ['workspace', ({ event }) => event.workspace],
  ['actor', ({ event }) => event.actor],
  ['door', ({ event }) => event.door],
  ['on_behalf_of', ({ event }) => event.onBehalfOf],
  ['turn', ({ event }) => event.correlation],
  ['call_id', ({ call }) => call?.callId ?? null],
  ['tool', ({ call }) => call?.facts.tool ?? null],
  ['server', ({ call }) => call?.facts.serverName ?? null],
  ['channel', ({ call }) => call?.facts.channel ?? null],
  ['reasons', reasonsOf],
  ['duration_ms', ({ known }) => ('durationMs' in known.data ? known.data.durationMs : null)],
  ['data', ({ known }) => JSON.stringify(known.data)],
  ['personal', ({ personal }) => (personal.length === 0 ? null : JSON.stringify(personal))],
  ['event_id', ({ event }) => event.id],
  ['stream', ({ event }) => event.stream],
  ['revision', ({ event }) => event.revision],
  ['written_version', ({ event }) => event.version],
  ['causation', ({ event }) => event.causation],
  ['runner', ({ event }) => event.runner],
  ['leaf', ({ event }) => Buffer.from(event.leaf).toString('hex')],
];

/**
 * Comma-separated values per RFC 4180: CRLF, quotes doubled. What a spreadsheet would take for a formula gets a leading
 * apostrophe; control characters, line breaks and marks that turn or hide text are shown as their code point, so every
 * event is one line.
 */
export const csv: ExportFormat = {
  head: line(columns.map(([title]) => title)),
  encode: (entry) => line(columns.map(([, cell]) => cell(entry))),
};

function reasonsOf({ call }: ExportEntry): Cell {
  if (call === null || call.step.type === 'ToolCallAdmitted') return null;
  const reasons = call.step.type === 'ToolCallRefused' ? call.step.data.reasons : endingOf(call.step).reasons;
  return reasons.length === 0 ? null : reasons.join(' ');
}

function line(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  // Judged before control characters are made visible: a tab or carriage return in front hides a formula.
  const guarded = formula.test(cell) || /^[\t\r]/.test(cell) ? `'${cell}` : cell;
  const safe = plain.test(guarded) ? guarded : terminalSafe(guarded);
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
