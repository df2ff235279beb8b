import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '../../../src/platform/json.js';
import { maxArgumentsBytes, maxArgumentsDepth, readArguments } from '../../../src/tools/dispatch/begin/argumentLimits.js';

const nested = (levels: number): JsonValue => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as JsonValue;

describe('reading arguments', () => {
  it('takes an object within the limits and measures it', () => {
    expect(readArguments({ a: 'ü' })).toEqual({ ok: true, args: { a: 'ü' }, bytes: 10 });
    expect(readArguments(nested(maxArgumentsDepth)).ok).toBe(true);
  });

  it('takes a key `__proto__`, a lone surrogate and a NUL byte for what they are', () => {
    expect(readArguments(JSON.parse('{"__proto__":{"a":1},"b":"\\ud800","c":"\\u0000"}') as JsonValue).ok).toBe(true);
  });

  it.each<[string, JsonValue, string]>([
    ['one level too many', nested(maxArgumentsDepth + 1), 'nested more than 1000 levels deep'],
    ['5,000 levels', JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as JsonValue, 'nested more than 1000 levels deep'],
    ['one byte too many', { a: 'x'.repeat(maxArgumentsBytes - 7) }, 'take 4194305 bytes; at most 4194304'],
    ['an array', [], 'an array'],
    ['a number', 7, 'a number'],
    ['false', false, 'true or false'],
  ])('refuses %s', (_what, given, problem) => {
    expect(readArguments(given)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });
});
