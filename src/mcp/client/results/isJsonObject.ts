import type { JsonObject } from '../../../platform/json.js';

/** What came over the wire was made by `JSON.parse`, so an object in it holds JSON only. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
