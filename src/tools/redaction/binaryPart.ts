import type { JsonObject, JsonValue } from '../../platform/json.js';

/**
 * A content part with its binary payload (`data` of images and audio, `blob` of resources) replaced by its size in
 * bytes. Parts of kinds nobody knows are treated the same when they carry such a payload.
 */
export function describeBinary(part: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [...described(key, value)]));
}

function described(key: string, value: JsonValue): readonly [string, JsonValue] {
  if (typeof value === 'string' && (key === 'blob' || (key === 'data' && isBase64(value)))) {
    return ['bytes', Buffer.byteLength(value, 'base64')];
  }
  if (key === 'resource' && value !== null && typeof value === 'object' && !Array.isArray(value)) return [key, describeBinary(value as JsonObject)];
  return [key, value];
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
}
