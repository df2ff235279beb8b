import { displayWidth } from '../../platform/text/displayWidth.js';

/** A word, or what stands in backticks: a command is not broken in the middle. */
const unbroken = /(?:`[^`]*`|[^ `])+|`/g;

/**
 * Breaks a line of prose at its spaces so that it fits a terminal. A word that is longer stays whole, and so does a line
 * that begins with a space: a command, or data.
 */
export function wrapped(line: string, width: number): readonly string[] {
  if (line.startsWith(' ') || displayWidth(line) <= width) return [line];
  const lines: string[] = [];
  for (const word of line.match(unbroken) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + 1 + displayWidth(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
