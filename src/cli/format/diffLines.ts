import { terminalSafe } from '../../platform/text/terminal.js';

/** What changed in definitions, for people to read: the fields of each tool, and the lines that differ. */
export function diffLines(diffs: readonly { readonly name: string; readonly fields: readonly { readonly field: string; readonly lines: readonly string[] }[] }[]): readonly string[] {
  return diffs.flatMap(({ name, fields }) => fields.flatMap(({ field, lines }) => [terminalSafe(`${name}, ${field}:`), ...lines.map((line) => `  ${terminalSafe(line)}`)]));
}
