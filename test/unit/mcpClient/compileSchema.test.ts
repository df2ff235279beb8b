import { describe, expect, it } from '@jest/globals';
import { compileSchema } from '../../../src/mcp/client/schemas/compileSchema.js';
import { interruptibly } from '../../../src/mcp/client/schemas/interruptible.js';
import type { JsonObject } from '../../../src/platform/json.js';

const draft7 = 'http://json-schema.org/draft-07/schema#';
const newest = 'https://json-schema.org/draft/2020-12/schema';

/** What is wrong with a value, by a schema that compiles. */
function check(schema: JsonObject, value: unknown): string | null {
  const compiled = compileSchema(schema);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled.check(value);
}

describe('a schema of a server', () => {
  it.each<[string, JsonObject, unknown, unknown]>([
    ['a plain type', { type: 'object', properties: { a: { type: 'number' } } }, { a: 1 }, { a: '1' }],
    ['2020-12, prefixItems', { $schema: newest, type: 'array', prefixItems: [{ type: 'string' }], items: false }, ['x'], [1]],
    ['draft-07, a list of items', { $schema: draft7, type: 'array', items: [{ type: 'string' }], additionalItems: false }, ['x'], ['x', 1]],
    ['no dialect, in the manner of draft-07', { type: 'array', items: [{ type: 'string' }], additionalItems: false }, ['x'], ['x', 1]],
    ['a reference inside', { $ref: '#/$defs/n', $defs: { n: { type: 'number' } } }, 1, 'x'],
    ['a reference to itself', { type: 'object', properties: { next: { $ref: '#' }, a: { type: 'number' } } }, { next: { a: 1 } }, { next: { a: 'x' } }],
    ['an id of an older draft', { id: 'https://example.org/x', type: 'number' }, 1, 'x'],
    ['a keyword nobody knows', { type: 'number', surprise: { type: 7 } }, 1, 'x'],
    ['a format, which is an annotation', { type: 'string', format: 'uri' }, 'no uri', 1],
  ])('checks by %s', (_, schema, right, wrong) => {
    expect(check(schema, right)).toBeNull();
    expect(check(schema, wrong)).toMatch(/must/);
  });

  it.each<[string, JsonObject, string]>([
    ['a reference that leads nowhere', { $ref: '#/$defs/gone' }, 'schema_dangling_ref'],
    ['a reference elsewhere', { $ref: 'https://evil.example/schema' }, 'schema_dangling_ref'],
    ['a pattern that is no regular expression', { properties: { a: { pattern: '(' } } }, 'schema_bad_pattern'],
    ['a name pattern that is none', { patternProperties: { '(': {} } }, 'schema_bad_pattern'],
    ['a type nobody knows', { type: 'thing' }, 'schema_invalid'],
    ['properties that are a number', { properties: 7 }, 'schema_invalid'],
    ['a schema that answers later', { $async: true, type: 'object' }, 'schema_invalid'],
  ])('is refused for %s', (_, schema, problem) => {
    expect(compileSchema(schema)).toBe(problem);
  });

  it('says where a value is wrong', () => {
    expect(check({ properties: { a: { items: { type: 'number' } } } }, { a: [1, 'x'] })).toBe('/a/1 must be number.');
    expect(check({ type: 'object' }, 7)).toBe('It must be object.');
  });

  it('does not hang in a pattern that backtracks for ever', () => {
    expect(check({ pattern: '^(a+)+$' }, `${'a'.repeat(64)}!`)).toMatch(/could not be checked within/);
    expect(check({ patternProperties: { '^(a+)+$': {} } }, { [`${'a'.repeat(64)}!`]: 1 })).toMatch(/could not be checked within/);
    expect(check({ pattern: '^(a+)+$' }, 'aaa')).toBeNull();
  });

  it('does not hang in references that branch at every step', () => {
    const defs = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`a${at}`, { allOf: [{ $ref: `#/$defs/a${at + 1}` }, { $ref: `#/$defs/a${at + 1}` }] }]));
    expect(check({ $ref: '#/$defs/a0', $defs: { ...defs, a40: { type: 'object' } } }, {})).toMatch(/could not be checked within/);
  });

  it('says so when it refers to itself without end', () => {
    expect(check({ allOf: [{ $ref: '#' }] }, {})).toMatch(/without end/);
  });

  it('is not mixed up with another one under the same id', () => {
    const one = compileSchema({ $id: 'https://example.org/s', type: 'number' });
    const two = compileSchema({ $id: 'https://example.org/s', type: 'string' });
    expect([one, two].map((compiled) => typeof compiled === 'string' || compiled.check(1) === null)).toEqual([true, false]);
  });
});

describe('work within a time', () => {
  it('gives what it gives, or throws what it throws', () => {
    expect(interruptibly(1_000, () => 7)).toEqual({ done: true, value: 7 });
    expect(() => interruptibly(1_000, () => JSON.parse('{') as unknown)).toThrow(SyntaxError);
  });

  it('is stopped when its time is up', () => {
    const forEver = (): never => {
      for (;;);
    };
    expect(interruptibly(10, forEver)).toEqual({ done: false });
  });
});
