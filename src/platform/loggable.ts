import type { JsonValue } from './json.js';
import { scrubText } from './scrub/scrubText.js';

const deepest = 6;
const mostEntries = 100;
const mostCharacters = 4_096;

/** What of a value may be written. */
export interface LoggableOptions {
  /** Whether errors keep their stack. */
  readonly stacks: boolean;
}

/**
 * Turns any values into JSON that may be written to a log: strings and names scrubbed of secrets, errors as `{name,
 * code, message, details, cause}`, bytes as their count, everything bounded in depth, entries and length.
 * Never throws, whatever the values do when they are looked at.
 */
export function loggable(fields: { readonly [name: string]: unknown }, options: LoggableOptions): { [name: string]: JsonValue } {
  try {
    return entries(fields, 0, options);
  } catch {
    return { fields: '[unreadable]' };
  }
}

function shown(value: unknown, depth: number, options: LoggableOptions): JsonValue {
  switch (typeof value) {
    case 'string':
      return text(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : shownObject(value, depth, options);
    case 'undefined':
    case 'function':
    case 'symbol':
      return `[${typeof value}]`;
  }
}

function shownObject(value: object, depth: number, options: LoggableOptions): JsonValue {
  if (depth >= deepest) return '[deeper]';
  try {
    if (value instanceof Error) return shownError(value, depth, options);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
    if (value instanceof URL) return text(value.href);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value)) return value.slice(0, mostEntries).map((entry) => shown(entry, depth + 1, options));
    return entries(value, depth + 1, options);
  } catch {
    return '[unreadable]';
  }
}

function shownError(error: Error, depth: number, options: LoggableOptions): JsonValue {
  const { name, message, cause, stack, code, details } = error as Error & { readonly code?: unknown; readonly details?: unknown };
  const known = { name, code, message, details, cause, stack: options.stacks ? stack : undefined };
  return entries(known, depth + 1, options);
}

function entries(object: object, depth: number, options: LoggableOptions): { [name: string]: JsonValue } {
  const result = Object.create(null) as { [name: string]: JsonValue };
  for (const [name, value] of Object.entries(object).slice(0, mostEntries)) {
    if (value !== undefined) result[text(name)] = shown(value, depth, options);
  }
  return result;
}

function text(value: string): string {
  const clean = scrubText(value).text;
  return clean.length > mostCharacters ? `${clean.slice(0, mostCharacters)}…` : clean;
}
