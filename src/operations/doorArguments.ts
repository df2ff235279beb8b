import { Fault } from '../platform/fault.js';
import type { JsonValue } from '../platform/json.js';

/** Most levels of arrays and objects in the arguments of a call. */
export const maxArgumentDepth = 200;
/** Most bytes of a call's arguments as JSON text. */
export const maxArgumentBytes = 4 * 1024 * 1024;

/**
 * Checks what no tool and no format could take: nesting past `maxArgumentDepth`, strings that are not Unicode text
 * (lone surrogates have no UTF-8 form), and more than `maxArgumentBytes`. Walks without recursion.
 * @returns the arguments as given
 * @throws Fault `arguments_too_deep`, `arguments_not_unicode`, `arguments_too_large`
 */
export function doorArguments(args: JsonValue): JsonValue {
  const waiting: { value: JsonValue; path: string; depth: number }[] = [{ value: args, path: '', depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') requireUnicode(value, path);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= maxArgumentDepth) {
      throw new Fault('usage', 'arguments_too_deep', `The arguments are nested more than ${maxArgumentDepth} levels deep. Send flatter arguments.`, { limit: maxArgumentDepth });
    }
    for (const [key, child] of Object.entries<JsonValue>(value)) {
      requireUnicode(key, path);
      waiting.push({ value: child, path: `${path}/${key.slice(0, 40)}`, depth: depth + 1 });
    }
  }
  const bytes = Buffer.byteLength(JSON.stringify(args));
  if (bytes > maxArgumentBytes) {
    throw new Fault('usage', 'arguments_too_large', `The arguments are ${bytes} bytes of JSON; at most ${maxArgumentBytes} are taken. Send a reference instead of the content.`, { bytes, limit: maxArgumentBytes });
  }
  return args;
}

function requireUnicode(text: string, path: string): void {
  if (text.isWellFormed()) return;
  throw new Fault('usage', 'arguments_not_unicode', `The text at ${path === '' ? 'the top' : path} of the arguments holds half of a surrogate pair, which is not Unicode text. Send the whole character.`, { path });
}
