import { createHmac, hkdfSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '../../../src/platform/json.js';
import { argumentsDigest, parameterDigest } from '../../../src/tools/redaction/digests.js';

const key = Buffer.alloc(32, 1);

describe('argumentsDigest', () => {
  it('is HMAC-SHA-256 over the canonical form, keyed by HKDF from the person’s key', () => {
    const derived = Buffer.from(hkdfSync('sha256', key, '', 'toolledger/arguments@1', 32));
    const expected = createHmac('sha256', derived).update('{"a":[1,"ü"],"b":null}').digest('hex');
    expect(argumentsDigest(key, { b: null, a: [1, 'ü'] })).toBe(expected);
  });

  it('does not depend on the order of keys, and does on everything else', () => {
    const digest = argumentsDigest(key, { a: 1, b: [1, 2] });
    expect(argumentsDigest(key, { b: [1, 2], a: 1 })).toBe(digest);
    for (const other of [{ a: 1, b: [2, 1] }, { a: '1', b: [1, 2] }, { a: 1 }]) expect(argumentsDigest(key, other)).not.toBe(digest);
  });

  it('differs from person to person', () => {
    expect(argumentsDigest(Buffer.alloc(32, 2), { a: 1 })).not.toBe(argumentsDigest(key, { a: 1 }));
  });

  it('takes __proto__ for a key like any other', () => {
    const withProto = JSON.parse('{"a": 1, "__proto__": {"b": 2}}') as JsonValue;
    expect(argumentsDigest(key, withProto)).not.toBe(argumentsDigest(key, { a: 1 }));
  });

  it('is null for what has no canonical form', () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 10_000; level++) deep = [deep];
    expect(argumentsDigest(key, { a: '\ud800' })).toBeNull();
    expect(argumentsDigest(key, { '\udc00': 1 })).toBeNull();
    expect(argumentsDigest(key, deep)).toBeNull();
    expect(argumentsDigest(key, 'x'.repeat(5 * 1024 * 1024))).toBeNull();
  });

  it('takes pairs of surrogates, NUL and 1,000 levels', () => {
    let deep: JsonValue = '🎲\u0000';
    for (let level = 0; level < 999; level++) deep = [deep];
    expect(argumentsDigest(key, deep)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('parameterDigest', () => {
  it('differs for the same value under another name, and from the digest of arguments', () => {
    const digest = parameterDigest(key, 'query', 'cats');
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(parameterDigest(key, 'other', 'cats')).not.toBe(digest);
    expect(argumentsDigest(key, ['query', 'cats'])).not.toBe(digest);
  });
});
