import { terminalSafeJson } from '../../platform/text/terminal.js';

/**
 * JSON text that is safe to print on a terminal and still the same JSON value.
 * @param indent spaces per level; 0 for one line
 */
export function jsonText(value: unknown, indent: 0 | 2 = 0): string {
  return terminalSafeJson(JSON.stringify(value, null, indent));
}
