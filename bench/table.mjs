import { rounded } from './measure.mjs';

const heads = ['bar', 'measure', 'value', 'allowed', ''];

/** The rows as a table for a terminal, one measure a line. */
export function showTable(rows) {
  const lines = rows.map(({ bar, measure, value, unit, limit, verdict }) => [
    String(bar),
    measure,
    value === null ? '' : `${shown(value)}${unit}`,
    limit,
    verdict,
  ]);
  const widths = heads.map((head, column) => Math.max(head.length, ...lines.map((line) => line[column].length)));
  const show = (line) => line.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd();
  return [show(heads), show(widths.map((width) => '─'.repeat(width))), ...lines.map(show)].join('\n');
}

function shown(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(rounded(value));
}
