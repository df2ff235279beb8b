import { describe, expect, it } from '@jest/globals';
import { doorArguments, maxArgumentBytes, maxArgumentDepth, maxArgumentValues } from '../../../src/operations/calls/doorArguments.js';
import { Fault } from '../../../src/platform/fault.js';
import type { JsonValue } from '../../../src/platform/json.js';

describe('the arguments that a door hands in', () => {
  it.each<[string, JsonValue]>([
    ['an empty object', {}],
    ['a NUL character in a text', { text: 'a\u0000b' }],
    ['whole surrogate pairs', { text: '🎲' }],
    ['nesting up to the limit', nested(maxArgumentDepth)],
    ['a value that is no object, which dispatch judges', [1, 2]],
    ['as many values as are taken', Array.from({ length: maxArgumentValues - 1 }, () => 0)],
    ['the largest exact whole number, fractions and very large numbers', [Number.MAX_SAFE_INTEGER, -0.5, 1e300]],
  ])('are passed on as they are: %s', (_what, args) => {
    expect(doorArguments(args)).toBe(args);
  });

  it('keep a key called __proto__ as a key', () => {
    const args = JSON.parse('{"__proto__":{"polluted":true}}') as JsonValue;
    doorArguments(args);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(JSON.stringify(args)).toBe('{"__proto__":{"polluted":true}}');
  });

  it.each<[string, JsonValue, string]>([
    ['one level too many', nested(maxArgumentDepth + 1), 'arguments_too_deep'],
    ['ten thousand levels', nested(10_000), 'arguments_too_deep'],
    ['half of a surrogate pair in a text', { text: '\ud83c' }, 'arguments_not_unicode'],
    ['half of a surrogate pair in a key', { '\udfb2': 1 }, 'arguments_not_unicode'],
    ['more values than are taken', Array.from({ length: maxArgumentValues }, () => 0), 'arguments_too_many'],
    ['a whole number that lost digits when it was read', JSON.parse('{"id":9007199254740993}') as JsonValue, 'arguments_number_inexact'],
    ['a number that became infinite when it was read', JSON.parse('[1e999]') as JsonValue, 'arguments_number_inexact'],
    ['more than fits', { text: 'x'.repeat(maxArgumentBytes) }, 'arguments_too_large'],
  ])('are refused before anything is recorded: %s', (_what, args, code) => {
    expect(faultOf(() => doorArguments(args))).toMatchObject({ kind: 'usage', code });
  });

  it('say where the text is that is not Unicode', () => {
    expect(faultOf(() => doorArguments({ list: [{ name: '\ud800' }] }))?.message).toContain('/list/0/name');
  });
});

function nested(levels: number): JsonValue {
  let value: JsonValue = 'core';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function faultOf(run: () => unknown): Fault | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
