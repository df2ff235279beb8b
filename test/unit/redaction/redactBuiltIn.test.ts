import { describe, expect, it } from '@jest/globals';
import { parameterDigest } from '../../../src/tools/redaction/digests.js';
import { redactBuiltIn } from '../../../src/tools/redaction/redactBuiltIn.js';

const subjectKey = Buffer.alloc(32, 7);
const valid = { valid: true, subjectKey };
const statements = { notation: 'value', note: 'personal', target: 'presence', query: 'digest' } as const;

describe('redactBuiltIn', () => {
  it('keeps of each parameter what its statement allows', () => {
    expect(redactBuiltIn(statements, { notation: '2d6', note: 'for Anna', target: 'Bob', query: 'cats' }, valid)).toEqual({
      parameters: { notation: '2d6', target: { present: true }, query: { digest: parameterDigest(subjectKey, 'query', 'cats') } },
      personal: { note: 'for Anna' },
      notes: [{ path: '/target', rule: 'presence' }, { path: '/query', rule: 'digest' }],
    });
  });

  it('keeps nothing of a parameter that nobody classified, not even its name', () => {
    const kept = redactBuiltIn(statements, { notation: '2d6', 'Anna’s address': 'x', other: 'y' }, valid);
    expect(kept).toEqual({ parameters: { notation: '2d6' }, personal: undefined, notes: [{ path: '/*', rule: 'unclassified' }] });
  });

  it('classifies nothing by what an object inherits', () => {
    const parameters = JSON.parse('{"constructor": "a", "toString": "b", "__proto__": "c"}') as { readonly [key: string]: string };
    expect(redactBuiltIn({}, parameters, valid)).toEqual({ parameters: {}, personal: undefined, notes: [{ path: '/*', rule: 'unclassified' }] });
  });

  it('counts values that did not pass validation as personal', () => {
    expect(redactBuiltIn(statements, { notation: 'my address' }, { valid: false, subjectKey })).toEqual({
      parameters: {},
      personal: { notation: 'my address' },
      notes: [],
    });
  });

  it('scrubs values all the same, in clear or sealed', () => {
    const key = ['gh', 'p_', 'abcdefghijklmnopqrst0123456789'].join('');
    const kept = redactBuiltIn(statements, { notation: `2d6 # ${key}`, note: { password: 'tomato' } }, valid);
    expect(kept.parameters).toEqual({ notation: '2d6 # [redacted:github]' });
    expect(kept.personal).toEqual({ note: { password: '[redacted:named]' } });
    expect(kept.notes).toEqual([{ path: '/notation', rule: 'github' }, { path: '/note/*', rule: 'named' }]);
  });

  it('keeps no digest without a key', () => {
    expect(redactBuiltIn(statements, { query: 'cats' }, { valid: true, subjectKey: null }).parameters).toEqual({ query: { digest: null } });
  });
});
