import type { JsonValue } from '../../platform/json.js';

/** Bytes of UTF-8 that a JSON value takes as JSON text. Works at any depth of nesting. */
export function jsonBytes(value: JsonValue): number {
  let bytes = 0;
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === null || typeof next !== 'object') {
      bytes += textBytes(next);
      continue;
    }
    const items: readonly JsonValue[] = Object.values(next);
    bytes += 2 + Math.max(0, items.length - 1);
    if (!Array.isArray(next)) for (const key of Object.keys(next)) bytes += textBytes(key) + 1;
    for (const item of items) waiting.push(item);
  }
  return bytes;
}

/** Most texts hold nothing that JSON escapes and nothing outside ASCII: they need not be written to be measured. */
const plain = /^[ !#-[\]-~]*$/;

function textBytes(value: string | number | boolean | null): number {
  if (typeof value === 'string' && plain.test(value)) return value.length + 2;
  return Buffer.byteLength(JSON.stringify(value));
}
