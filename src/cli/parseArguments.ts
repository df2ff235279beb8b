import { Fault } from '../platform/fault.js';
import type { JsonValue } from '../platform/json.js';

/**
 * Parses the JSON arguments of a call as typed on a command line.
 * @throws Fault `bad_json` saying where it stops being JSON
 */
export function parseArguments(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const reason = error instanceof RangeError ? 'it is nested too deeply' : sayWhere(error);
    throw new Fault('usage', 'bad_json', `The arguments are not JSON: ${reason}. Quote them for the shell, e.g. '{"message":"hi"}'.`);
  }
}

/** V8 quotes the text itself in some messages; keep only what happened and where. */
function sayWhere(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)/.exec(message)?.[1];
  const ended = message.includes('end of JSON');
  return `${ended ? 'it ends too early' : 'unexpected character'}${position === undefined ? '' : ` at position ${position}`}`;
}
