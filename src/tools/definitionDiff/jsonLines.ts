import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../platform/json.js';

type Json = JsonValue | undefined;

/** A line for each place in which two JSON values differ: what was added, what is gone, what became of what. */
export function jsonLines(before: Json, after: Json, path = '$'): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) return [`+ ${path}: ${JSON.stringify(after)}`];
  if (after === undefined) return [`- ${path}: ${JSON.stringify(before)}`];
  const [old, now] = [partsOf(before), partsOf(after)];
  if (old === null || now === null || Array.isArray(before) !== Array.isArray(after)) return [`~ ${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`];
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return keys.flatMap((key) => jsonLines(old.get(key), now.get(key), path + step(key)));
}

/** What an object or a list is made of; null for what has no parts. */
function partsOf(value: JsonValue): ReadonlyMap<string | number, JsonValue> | null {
  if (typeof value !== 'object' || value === null) return null;
  return Array.isArray(value) ? new Map((value as readonly JsonValue[]).entries()) : new Map(Object.entries(value));
}

function step(key: string | number): string {
  return typeof key === 'string' && /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
