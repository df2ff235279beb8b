import type { RecordedToolDefinition } from '../../events/catalogue/toolDefinition.js';
import { terminalSafe } from '../../platform/text/terminal.js';
import { jsonLines } from './jsonLines.js';
import { textLines } from './textLines.js';

/** What changed in one part of a definition, in lines that are safe to print. */
export interface FieldDiff {
  readonly field: (typeof fields)[number];
  /** `-` old, `+` new, `~` changed from one to the other, a space: the same, for context. */
  readonly lines: readonly string[];
}

const fields = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'icons'] as const;

/** Most lines of one field; what is beyond is counted. */
const maxLines = 60;
/** Most code points of a line. */
const maxLineLength = 300;

/**
 * What is different between two definitions of a tool, for people who are to accept the new one: texts as a unified
 * diff of their sentences, schemas as a line for each place that differs.
 * @returns the fields that differ, in a fixed order
 */
export function definitionDiff(old: RecordedToolDefinition, now: RecordedToolDefinition): readonly FieldDiff[] {
  return fields.flatMap((field) => {
    const [before, after] = [old[field], now[field]];
    const isText = typeof (before ?? '') === 'string' && typeof (after ?? '') === 'string';
    const lines = isText ? textLines(textOf(before), textOf(after)) : jsonLines(before, after);
    return lines.length === 0 ? [] : [{ field, lines: bounded(lines) }];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function bounded(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, maxLines).map((line) => {
    const characters = Array.from(terminalSafe(line));
    return characters.length <= maxLineLength ? characters.join('') : `${characters.slice(0, maxLineLength - 1).join('')}…`;
  });
  return lines.length <= maxLines ? shown : [...shown, `… and ${lines.length - maxLines} more lines`];
}
