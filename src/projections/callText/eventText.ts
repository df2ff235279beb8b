import type { JsonValue } from '../../platform/json.js';
import type { CallEnding, CallStart } from '../callFacts.js';
import type { OpenedBoxes } from '../projection.js';
import { indexText } from './words.js';

/** Most UTF-16 code units of one event's text that are indexed; what is beyond cannot be searched. */
export const textLimit = 32_768;

/** The text an event adds to its call: names, clear parameters, and whatever its boxes gave. */
export function textOf(event: CallStart | CallEnding, boxes: OpenedBoxes): string {
  const parts: string[] = [];
  if (event.type === 'ToolCallAdmitted' || event.type === 'ToolCallRefused') {
    const { tool, route, parameters } = event.data;
    if (tool !== null) parts.push(tool);
    if (route?.kind === 'mcp') parts.push(route.serverName, ...(route.remoteName === null ? [] : [route.remoteName]));
    collect(parameters, parts);
  }
  for (const [, values] of boxes) if (values !== null) for (const value of Object.values(values)) collect(value, parts);
  return parts.map((part) => part.slice(0, textLimit)).join('\n').slice(0, textLimit);
}

/** The words of it, ready for the index. */
export function wordsOf(event: CallStart | CallEnding, boxes: OpenedBoxes): string {
  return indexText(textOf(event, boxes));
}

/** Keys, strings and numbers of a value in a fixed order; a loop, so that depth costs no stack. */
function collect(value: JsonValue, into: string[]): void {
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') into.push(next);
    else if (typeof next === 'number') into.push(String(next));
    else if (Array.isArray(next)) for (let at = next.length - 1; at >= 0; at -= 1) waiting.push(next[at] as JsonValue);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next).reverse()) waiting.push(inner, key);
    }
  }
}
