import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/platform/json.js';
import { urlArguments } from '../../../src/tools/dispatch/run/urlArguments.js';

const uri = { type: 'string', format: 'uri' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

describe('the URLs in the arguments of a call', () => {
  it.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['a property called url', { url: 'a', other: 'b' }, {}, ['a']],
    ['the same in other case, in a list, in an object', { inner: { URLs: ['a', { deep: 'b' }], Uri: 'c' } }, {}, ['a', 'b', 'c']],
    ['a schema that says so', { page: 'a', text: 'b' }, object({ page: uri, text: { type: 'string' } }), ['a']],
    ['items of a list', { pages: ['a', 'b'] }, object({ pages: { type: 'array', items: uri } }), ['a', 'b']],
    ['items at a place', { pair: ['a', 'b'] }, object({ pair: { prefixItems: [{}, uri] } }), ['b']],
    ['items at a place, as in draft-07', { pair: ['a', 'b', 'c'] }, object({ pair: { items: [{}], additionalItems: uri } }), ['b', 'c']],
    ['a reference', { page: 'a' }, object({ page: { $ref: '#/$defs/the~1page' } }, { $defs: { 'the/page': uri } }), ['a']],
    ['any way of combining', { a: '1', b: '2', c: '3', d: '4' }, object({ a: { anyOf: [{}, uri] }, b: { oneOf: [uri] }, c: { allOf: [uri] }, d: { if: {}, else: uri } }), ['1', '2', '3', '4']],
    ['properties nobody names', { x: 'a' }, object({}, { additionalProperties: uri }), ['a']],
    ['properties by a pattern, whatever the pattern', { x: 'a' }, object({}, { patternProperties: { '^(y+)+$': uri } }), ['a']],
    ['an object with a name of the prototype', { constructor: 'a' }, object({}), []],
    ['the same URL twice', { url: 'a', uri: 'a' }, {}, ['a']],
    ['nothing but text', { query: 'https://example.org' }, object({ query: { type: 'string' } }), []],
  ])('are found by %s', (_, args, schema, urls) => {
    expect(urlArguments(args, schema)).toEqual(urls);
  });

  it('are found in a schema that refers to itself', () => {
    const schema = object({ page: uri, next: { $ref: '#' }, loop: { $ref: '#/properties/loop' } });
    expect(urlArguments({ next: { next: { page: 'a' } }, loop: 'b' }, schema)).toEqual(['a']);
  });
});
