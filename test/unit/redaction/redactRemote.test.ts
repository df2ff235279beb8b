import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/platform/json.js';
import { redactRemote } from '../../../src/tools/redaction/redactRemote.js';
import { redactUnknownTool } from '../../../src/tools/redaction/redactUnknownTool.js';

const githubKey = ['gh', 'p_', 'abcdefghijklmnopqrst0123456789'].join('');
const schema: JsonObject = {
  type: 'object',
  $defs: { header: { type: 'object', properties: { header: { type: 'string' }, body: { $ref: '#/$defs/body' } } }, body: { properties: { note: {} } } },
  properties: {
    url: { type: 'string' },
    apiKey: { type: 'string' },
    headers: { type: 'array', items: { $ref: '#/$defs/header' } },
    filter: { anyOf: [{ type: 'null' }, { oneOf: [{ properties: { city: {} } }] }] },
  },
};

describe('redactRemote', () => {
  it('keeps the structure and ordinary values', () => {
    const args = { url: 'https://example.com/', headers: [{ header: 'accept' }], filter: { city: 'Berlin', limit: 3 } };
    expect(redactRemote(args, schema)).toEqual({ personal: args, notes: [] });
  });

  it('names places that the schema knows, through lists, references and alternatives', () => {
    const args = { apiKey: 'x', url: githubKey, headers: [{ body: { note: githubKey } }], filter: { city: githubKey } };
    expect(redactRemote(args, schema).notes).toEqual([
      { path: '/apiKey', rule: 'named' },
      { path: '/url', rule: 'github' },
      { path: '/headers/0/body/note', rule: 'github' },
      { path: '/filter/city', rule: 'github' },
    ]);
  });

  it('treats keys the schema does not name as values: scrubbed, and * in notes', () => {
    const { personal, notes } = redactRemote({ [githubKey]: 1, filter: { 'Anna Smith': githubKey } }, schema);
    expect(personal).toEqual({ '[redacted:github]': 1, filter: { 'Anna Smith': '[redacted:github]' } });
    expect(notes).toEqual([{ path: '/*', rule: 'github' }, { path: '/filter/*', rule: 'github' }]);
  });

  it('knows no key from a schema that is none', () => {
    for (const odd of [{}, { properties: 'x' }, { properties: null }, { anyOf: {} }, { $ref: 'https://example.com/s' }, { $ref: '#/nowhere' }, { items: [] }] as JsonObject[]) {
      expect(redactRemote({ password: 'x' }, odd).notes).toEqual([{ path: '/*', rule: 'named' }]);
    }
  });

  it('knows no key from what a schema inherits', () => {
    expect(redactRemote({ constructor: { password: 'x' } }, { properties: {} }).notes).toEqual([{ path: '/*/*', rule: 'named' }]);
  });

  it('ends on schemas that refer to themselves or branch without end', () => {
    const circular: JsonObject = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' };
    expect(redactRemote({ password: 'x' }, circular).notes).toEqual([{ path: '/*', rule: 'named' }]);
    const branch = { anyOf: Array.from({ length: 60 }, () => ({ $ref: '#' })), properties: { a: { $ref: '#' } } };
    let args: JsonObject = { password: 'x' };
    for (let level = 0; level < 40; level++) args = { a: args };
    expect(redactRemote(args, branch).notes).toEqual([{ path: `${'/a'.repeat(40)}/*`, rule: 'named' }]);
  });
});

describe('redactUnknownTool', () => {
  it('keeps nothing but the size', () => {
    const args = { password: 'tomato', 'ü': ['\u0000', 1.5, null, {}] };
    expect(redactUnknownTool(args)).toEqual({ bytes: Buffer.byteLength(JSON.stringify(args)), notes: [{ path: '', rule: 'unknown_tool' }] });
  });
});
