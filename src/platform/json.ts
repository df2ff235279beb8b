/** Any value that JSON (RFC 8259) can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Never index one that came from outside with a name from outside without `Object.hasOwn`. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether something made by `JSON.parse`, which therefore holds JSON only, is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
