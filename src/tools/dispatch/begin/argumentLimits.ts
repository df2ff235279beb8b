import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { jsonBytes } from '../../redaction/jsonBytes.js';

/** Most bytes of arguments as JSON text that a call may bring. */
export const maxArgumentsBytes = 4 * 1024 * 1024;
/** Most levels of nesting in arguments. */
export const maxArgumentsDepth = 1_000;

/** Arguments as they can be used, or what is wrong with them in one sentence. `bytes` is their size as JSON text. */
export type ReadArguments =
  | { readonly ok: true; readonly args: JsonObject; readonly bytes: number }
  | { readonly ok: false; readonly problem: string; readonly bytes: number };

/** Checks what can be checked of arguments before a tool is known. Never throws, however they are built. */
export function readArguments(value: JsonValue): ReadArguments {
  const bytes = jsonBytes(value);
  if (depthOf(value) > maxArgumentsDepth) {
    return { ok: false, bytes, problem: `The arguments are nested more than ${maxArgumentsDepth} levels deep; nest them less.` };
  }
  if (!isJsonObject(value)) return { ok: false, bytes, problem: `The arguments are ${kindOf(value)}; a JSON object such as {"name": "value"} is needed.` };
  if (bytes > maxArgumentsBytes) {
    return { ok: false, bytes, problem: `The arguments take ${bytes} bytes; at most ${maxArgumentsBytes} are allowed.` };
  }
  return { ok: true, args: value, bytes };
}

/** The type of a JSON value in words, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  return { string: 'a string', number: 'a number', boolean: 'true or false', object: 'an object' }[typeof value as string] ?? 'no JSON value';
}

function childrenOf(item: JsonValue): readonly JsonValue[] {
  return typeof item === 'object' && item !== null ? Object.values(item) : [];
}

/** Levels of nesting, walked level by level so that no depth overflows the stack; gives up one past the limit. */
function depthOf(value: JsonValue): number {
  let level: readonly JsonValue[] = [value];
  let depth = 0;
  while (depth <= maxArgumentsDepth) {
    const next = level.flatMap(childrenOf);
    if (next.length === 0) return depth;
    level = next;
    depth += 1;
  }
  return depth;
}
