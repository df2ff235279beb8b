import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { cutUtf8 } from '../../../platform/scrub/text/cutUtf8.js';

/** Most bytes of a result, as JSON text, that a caller gets. */
const maxResultBytes = 1024 * 1024;

/** A result as a tool gave it, before any cap: data of a built-in tool, or content of a remote one. */
export type RawResult =
  | { readonly data: JsonValue; readonly content?: never }
  | { readonly data?: JsonObject; readonly content: readonly JsonObject[] };

/** A result within the cap. */
export interface Capped<Value> {
  readonly value: Value;
  readonly truncated: boolean;
}

/** A tool's data whole, or, when it is over the cap, the beginning of its JSON text as a string. */
export function capData(data: JsonValue, maxBytes = maxResultBytes): Capped<JsonValue> {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  if (Buffer.byteLength(text) <= maxBytes) return { value: data, truncated: false };
  return { value: cutUtf8(text, maxBytes), truncated: true };
}

/** Content parts as they came, up to the cap: the text part that crosses it is cut, what follows is left out. */
export function capContent(parts: readonly JsonValue[], maxBytes = maxResultBytes): Capped<readonly JsonValue[]> {
  const kept: JsonValue[] = [];
  let left = maxBytes;
  for (const part of parts) {
    const bytes = Buffer.byteLength(JSON.stringify(part));
    if (bytes > left) {
      const text = textOf(part);
      if (text !== null) kept.push({ type: 'text', text: cutUtf8(text, left) });
      return { value: kept, truncated: true };
    }
    kept.push(part);
    left -= bytes;
  }
  return { value: kept, truncated: false };
}

/** The text of an MCP text part, or null for other kinds. */
export function textOf(part: JsonValue): string | null {
  if (typeof part !== 'object' || part === null || !('type' in part) || !('text' in part)) return null;
  return part.type === 'text' && typeof part.text === 'string' ? part.text : null;
}
