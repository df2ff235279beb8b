import type { JsonValue } from '../../platform/json.js';
import type { CallEnding, CallStart } from '../callFacts.js';
import type { OpenedBoxes } from '../projection.js';
import { indexText } from './words.js';

/** Most UTF-16 code units of an event's clear text, and of each person's, that are indexed; what is beyond cannot be searched. */
export const textLimit = 32_768;

/** The words an event adds to its call, ready for the index. */
export interface EventWords {
  /** Of names and clear parameters. */
  readonly clear: string;
  /** Of whatever its boxes gave, by whose they are; without people whose words are not there. */
  readonly personal: ReadonlyArray<readonly [subject: string, words: string]>;
}

export function wordsOf(event: CallStart | CallEnding, boxes: OpenedBoxes): EventWords {
  const personal = boxes.flatMap(([subject, values]) => {
    const words = values === null ? '' : indexText(textOf(Object.values(values)));
    return words === '' ? [] : [[subject, words] as const];
  });
  return { clear: indexText(textOf(clearOf(event))), personal };
}

function clearOf(event: CallStart | CallEnding): readonly JsonValue[] {
  if (event.type !== 'ToolCallAdmitted' && event.type !== 'ToolCallRefused') return [];
  const { tool, route, parameters } = event.data;
  return [tool, ...(route?.kind === 'mcp' ? [route.serverName, route.remoteName] : []), parameters];
}

function textOf(values: readonly JsonValue[]): string {
  const parts: string[] = [];
  for (const value of values) collect(value, parts);
  return parts.map((part) => part.slice(0, textLimit)).join('\n').slice(0, textLimit);
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
