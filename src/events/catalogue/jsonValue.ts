import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../platform/json.js';

/** Deeper values are refused: reading and writing JSON text is recursive in too many programs. */
const maxDepth = 500;

const message = `must be JSON, nested at most ${maxDepth} levels deep`;

/** Anything JSON can carry. One loop, because arguments can be large and are checked at every call. */
export const jsonValue = z.custom<JsonValue>(isJson, message);

/** Any JSON object. */
export const jsonObject = z.custom<JsonObject>((value) => isPlainObject(value) && isJson(value), message);

function isJson(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === maxDepth) return false;
    const next: unknown[] = [];
    for (const value of level) {
      if (Array.isArray(value)) {
        for (const item of value as unknown[]) next.push(item);
      } else if (isPlainObject(value)) {
        for (const item of Object.values(value)) next.push(item);
      } else if (!isJsonScalar(value)) {
        return false;
      }
    }
    level = next;
  }
  return true;
}

function isJsonScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** Compares no prototype with this realm's own: values also come from other threads and contexts. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
