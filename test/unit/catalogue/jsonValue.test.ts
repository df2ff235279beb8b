import { describe, expect, it } from '@jest/globals';
import { jsonObject, jsonValue } from '../../../src/events/catalogue/jsonValue.js';

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('jsonValue', () => {
  it.each([null, true, 0, -1.5, '', '\ud800', [], {}, [1, { a: [null, { b: 'c' }] }], JSON.parse('{"__proto__":{"a":1}}'), Object.create(null)])(
    'takes %j and gives it back as it is',
    (value) => {
      expect(jsonValue.parse(value)).toBe(value);
    },
  );

  it.each([
    { what: 'undefined', value: undefined },
    { what: 'a hole in an object', value: { a: undefined } },
    { what: 'a hole in an array', value: Array(1) },
    { what: 'NaN', value: [NaN] },
    { what: 'infinity', value: Infinity },
    { what: 'a big integer', value: { a: 1n } },
    { what: 'a function', value: () => 1 },
    { what: 'a symbol', value: Symbol('a') },
    { what: 'a date', value: [new Date(0)] },
    { what: 'a map', value: new Map() },
    { what: 'bytes', value: Buffer.from('a') },
  ])('refuses $what', ({ value }) => {
    expect(jsonValue.safeParse(value).success).toBe(false);
  });

  it('takes nesting up to 500 levels and no deeper, without exhausting the stack', () => {
    expect(jsonValue.safeParse(nested(500)).success).toBe(true);
    expect(jsonValue.safeParse(nested(501)).success).toBe(false);
    expect(jsonValue.safeParse(nested(100_000)).success).toBe(false);
  });
});

describe('jsonObject', () => {
  it('takes objects only', () => {
    expect(jsonObject.parse({ a: [1] })).toEqual({ a: [1] });
    for (const value of [null, [], 'a', 1, undefined, { a: undefined }]) expect(jsonObject.safeParse(value).success).toBe(false);
  });
});
