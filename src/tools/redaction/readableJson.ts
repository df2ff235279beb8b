import type { JsonValue } from '../../platform/json.js';
import { jsonBytes } from './jsonBytes.js';

/** Most levels of nesting that are given a canonical form. */
const maxDepth = 1_000;
/** Most bytes of JSON text that are given a canonical form. */
const maxBytes = 4 * 1024 * 1024;

/** Whether a value has a canonical form (RFC 8785) within our limits: no lone surrogates, not too deep, not too large. */
export function isReadable(value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth || !level.every(isWellFormed)) return false;
    level = level.flatMap(childrenOf);
  }
  return jsonBytes(value) <= maxBytes;
}

function childrenOf(item: JsonValue): readonly JsonValue[] {
  return item !== null && typeof item === 'object' ? Object.values(item) : [];
}

function isWellFormed(item: JsonValue): boolean {
  if (typeof item === 'number') return Number.isFinite(item);
  const texts = typeof item === 'string' ? [item] : item !== null && typeof item === 'object' && !Array.isArray(item) ? Object.keys(item) : [];
  return !texts.some((text) => /[\ud800-\udfff]/.test(text) && /\p{Surrogate}/u.test(text));
}
