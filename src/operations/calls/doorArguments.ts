import { Fault } from '../../platform/fault.js';
import type { JsonValue } from '../../platform/json.js';

/** Most levels of arrays and objects in the arguments of a call. */
export const maxArgumentDepth = 200;
/** Most values, at all levels together: judging them takes time on the thread that serves everyone. */
export const maxArgumentValues = 50_000;
/** Most bytes of a call's arguments as JSON text. */
export const maxArgumentBytes = 4 * 1024 * 1024;

/** One value on the way through the arguments; the way back to the top names it when something is wrong. */
interface Place {
  readonly value: JsonValue;
  readonly key: string;
  readonly above: Place | null;
  readonly depth: number;
}

/**
 * Checks what no tool and no format could take: nesting past `maxArgumentDepth`, more than `maxArgumentValues` values or
 * `maxArgumentBytes` bytes, strings that are not Unicode text (lone surrogates have no UTF-8 form), and numbers that
 * JSON's reader has already changed. Walks without recursion.
 * @returns the arguments as given
 * @throws Fault `arguments_too_deep`, `arguments_too_many`, `arguments_too_large`, `arguments_not_unicode`,
 *   `arguments_number_inexact`
 */
export function doorArguments(args: JsonValue): JsonValue {
  const waiting: Place[] = [{ value: args, key: '', above: null, depth: 0 }];
  let values = 0;
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value, depth } = place;
    values += 1;
    if (typeof value === 'string') requireUnicode(value, place);
    if (typeof value === 'number') requireExact(value, place);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= maxArgumentDepth) {
      throw new Fault('usage', 'arguments_too_deep', `The arguments are nested more than ${maxArgumentDepth} levels deep. Send flatter arguments.`, { limit: maxArgumentDepth });
    }
    const children = Object.entries<JsonValue>(value);
    if (values + waiting.length + children.length > maxArgumentValues) {
      throw new Fault('usage', 'arguments_too_many', `The arguments hold more than ${maxArgumentValues} values. Send fewer, or a reference to them.`, { limit: maxArgumentValues });
    }
    for (const [key, child] of children) {
      requireUnicode(key, place);
      waiting.push({ value: child, key, above: place, depth: depth + 1 });
    }
  }
  const bytes = Buffer.byteLength(JSON.stringify(args));
  if (bytes > maxArgumentBytes) {
    throw new Fault('usage', 'arguments_too_large', `The arguments are ${bytes} bytes of JSON; at most ${maxArgumentBytes} are taken. Send a reference instead of the content.`, { bytes, limit: maxArgumentBytes });
  }
  return args;
}

function requireUnicode(text: string, place: Place): void {
  if (text.isWellFormed()) return;
  const path = pathOf(place);
  throw new Fault('usage', 'arguments_not_unicode', `The text at ${path} of the arguments holds half of a surrogate pair, which is not Unicode text. Send the whole character.`, { path });
}

/** Whole numbers past 2^53 have lost their last digits, and numbers past the range of a double have become infinite. */
function requireExact(number: number, place: Place): void {
  const digitsLost = Number.isInteger(number) && !Number.isSafeInteger(number) && Math.abs(number) < 1e21;
  if (Number.isFinite(number) && !digitsLost) return;
  const path = pathOf(place);
  throw new Fault('usage', 'arguments_number_inexact', `The number at ${path} of the arguments is too large to be passed on exactly. Send it as a text.`, { path });
}

function pathOf(place: Place): string {
  const keys: string[] = [];
  for (let at: Place = place; at.above !== null; at = at.above) keys.unshift(at.key.toWellFormed().slice(0, 40));
  return keys.length === 0 ? 'the top' : `/${keys.join('/')}`;
}
