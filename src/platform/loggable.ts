import { isNativeError } from 'node:util/types';
import type { JsonValue } from './json.js';
import { marker } from './scrub/marker.js';
import { scrubText } from './scrub/scrubText.js';
import { isSecretName } from './scrub/secretNames.js';

const deepest = 6;
const mostEntries = 100;
const mostValues = 1_000;
const mostCharacters = 4_096;

/** One line being made. */
interface Line {
  readonly stacks: boolean;
  /** How many more values it may hold. */
  left: number;
}

/**
 * Turns any values into JSON that may be written to a log: strings and names scrubbed of secrets, values with a
 * secret name removed, errors as `{name, code, message, details, cause}`, bytes as their count, everything bounded in
 * depth, entries and length.
 * Never throws, whatever the values do when they are looked at.
 * @param options `stacks`: whether errors keep their stack
 */
export function loggable(fields: { readonly [name: string]: unknown }, options: { readonly stacks: boolean }): { [name: string]: JsonValue } {
  try {
    return entries(fields, 0, { ...options, left: mostValues });
  } catch {
    return { fields: '[unreadable]' };
  }
}

function shown(value: unknown, depth: number, line: Line): JsonValue {
  line.left -= 1;
  if (line.left < 0) return '[more]';
  switch (typeof value) {
    case 'string':
      return loggableText(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : shownObject(value, depth, line);
    case 'undefined':
    case 'function':
    case 'symbol':
      return `[${typeof value}]`;
  }
}

function shownObject(value: object, depth: number, line: Line): JsonValue {
  if (depth >= deepest) return '[deeper]';
  try {
    if (value instanceof Error || isNativeError(value)) return shownError(value, depth, line);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
    if (value instanceof URL) return loggableText(value.href);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value)) return value.slice(0, mostEntries).map((entry) => shown(entry, depth + 1, line));
    return entries(value, depth + 1, line);
  } catch {
    return '[unreadable]';
  }
}

function shownError(error: Error, depth: number, line: Line): JsonValue {
  const { name, message, cause, stack, code, details } = error as Error & { readonly code?: unknown; readonly details?: unknown };
  const known = { name, code, message, details, cause, stack: line.stacks ? stack : undefined };
  return entries(known, depth + 1, line);
}

function entries(object: object, depth: number, line: Line): { [name: string]: JsonValue } {
  const result = Object.create(null) as { [name: string]: JsonValue };
  for (const [name, value] of Object.entries(object).slice(0, mostEntries)) {
    if (value !== undefined) result[loggableText(name)] = isSecretName(name) ? marker('named') : shown(value, depth, line);
  }
  return result;
}

/** Text without secrets, at most 4,096 characters of it. */
export function loggableText(value: string): string {
  const clean = scrubText(value).text;
  return clean.length > mostCharacters ? `${clean.slice(0, mostCharacters)}…` : clean;
}
