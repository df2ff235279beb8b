import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '../../../src/platform/json.js';
import { knownHere } from '../../../src/platform/scrub/knownKeys.js';
import { maxNotes, scrubValue } from '../../../src/platform/scrub/scrubValue.js';
import { plainNames, secretNames } from '../../support/plantedSecrets.js';

const parsed = (text: string): JsonValue => JSON.parse(text) as JsonValue;
const githubKey = ['gh', 'p_', 'abcdefghijklmnopqrst0123456789'].join('');

describe('scrubValue removes what stands under a secret name', () => {
  it.each(secretNames)('%s, whatever it is', (name) => {
    for (const value of ['hunter', 42, true, null, ['a', 'b'], { deep: { deeper: 'x' } }]) {
      expect(scrubValue({ outer: [{ [name]: value }] }).value).toEqual({ outer: [{ [name]: '[redacted:named]' }] });
    }
  });

  it.each(plainNames)('not under %s', (name) => {
    expect(scrubValue({ [name]: 1234 })).toEqual({ value: { [name]: 1234 }, notes: [] });
  });

  it('in lists of named values', () => {
    expect(scrubValue([{ name: 'Authorization', value: 'x y' }, { key: 'lang', value: 'de' }]).value).toEqual([
      { name: 'Authorization', value: '[redacted:named]' },
      { key: 'lang', value: 'de' },
    ]);
    expect(scrubValue({ headers: [['cookie', 'a'], ['accept', 'b']] }).value).toEqual({ headers: [['cookie', '[redacted:named]'], ['accept', 'b']] });
  });

  it('in command lines', () => {
    expect(scrubValue(['deploy', '--token', 'abc', '--region', 'eu', '--password=xyz']).value).toEqual([
      'deploy', '--token', '[redacted:named]', '--region', 'eu', '--password=[redacted:assignment]',
    ]);
  });
});

describe('scrubValue enters strings', () => {
  it('that are JSON', () => {
    expect(scrubValue({ body: '{"user": "bob", "password": "x"}' }).value).toEqual({ body: '{"user":"bob","password":"[redacted:named]"}' });
  });

  it('that are JSON in JSON in JSON', () => {
    const inner = JSON.stringify({ text: JSON.stringify([JSON.stringify({ secret: 'tomato' })]) });
    expect(JSON.stringify(scrubValue([inner]).value)).not.toContain('tomato');
  });

  it('that are JSON with the same key twice', () => {
    expect(JSON.stringify(scrubValue({ body: '{"password": "tomato", "password": ""}' }).value)).not.toContain('tomato');
    expect(JSON.stringify(scrubValue({ body: `{"a": "${githubKey}", "a": "fine"}` }).value)).not.toContain(githubKey);
  });

  it('that are URLs', () => {
    expect(scrubValue({ url: 'https://a:tomato@b.example/?q=1' }).value).toEqual({ url: 'https://[redacted:url_userinfo]@b.example/?q=1' });
  });

  it('and leaves the text of harmless JSON as it was written', () => {
    const body = '{ "tokens" : 1234,\n "big": 12345678901234567890, "x": 1.0 }';
    expect(scrubValue({ body })).toEqual({ value: { body }, notes: [] });
  });
});

describe('scrubValue and keys', () => {
  it('scrubs keys that nobody knows, and does not write them into notes', () => {
    expect(scrubValue({ [githubKey]: 1, 'my note': { [githubKey]: 2 } })).toEqual({
      value: { '[redacted:github]': 1, 'my note': { '[redacted:github]': 2 } },
      notes: [{ path: '/*', rule: 'github' }, { path: '/*/*', rule: 'github' }],
    });
  });

  it('shows known keys in notes', () => {
    expect(scrubValue({ token: 'x', other: { token: 'y' } }, knownHere(['token'])).notes).toEqual([
      { path: '/token', rule: 'named' },
      { path: '/*/*', rule: 'named' },
    ]);
  });

  it('keeps all values when keys become the same', () => {
    const other = ['gh', 'p_', 'zyxwvutsrqponmlkjihg9876543210'].join('');
    expect(scrubValue({ [githubKey]: 1, [other]: 2 }).value).toEqual({ '[redacted:github]': 1, '[redacted:github] (2)': 2 });
  });

  it('takes __proto__, constructor and toString for plain keys', () => {
    const { value } = scrubValue(parsed('{"__proto__": {"password": "tomato", "polluted": true}, "constructor": 1, "toString": 2, "hasOwnProperty": 3}'));
    expect(JSON.stringify(value)).toBe('{"__proto__":{"password":"[redacted:named]","polluted":true},"constructor":1,"toString":2,"hasOwnProperty":3}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('scrubValue bounds its work', () => {
  it('cuts after 64 levels, however deep it goes on', () => {
    let deep: JsonValue = 'tomato';
    for (let level = 0; level < 10_000; level++) deep = [deep];
    const { value, notes } = scrubValue(deep);
    expect(JSON.stringify(value)).toBe(`${'['.repeat(64)}"[redacted:too_deep]"${']'.repeat(64)}`);
    expect(notes.map(({ rule }) => rule)).toEqual(['too_deep']);
  });

  it('counts levels inside strings that are JSON', () => {
    const text = `${'['.repeat(10_000)}"tomato"${']'.repeat(10_000)}`;
    expect(JSON.stringify(scrubValue({ text }).value)).not.toContain('tomato');
  });

  it('drops what comes after 256 KiB, and says where', () => {
    const { value, notes } = scrubValue({ a: 'word '.repeat(52_000), b: 'word '.repeat(52_000), c: 'never seen', d: ['never seen'] }, knownHere(['a', 'b', 'c', 'd']));
    expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThan(257 * 1024);
    expect(Object.keys(value as object)).toEqual(['a', 'b']);
    expect(notes).toEqual([{ path: '/b', rule: 'too_large' }, { path: '/c', rule: 'too_large' }]);
  });

  it('drops what comes after 256 KiB of small things', () => {
    const { value, notes } = scrubValue(Array.from({ length: 1_000_000 }, () => []));
    expect((value as readonly JsonValue[]).length).toBeLessThanOrEqual(128 * 1024);
    expect(notes.map(({ rule }) => rule)).toEqual(['too_large']);
  });

  it('takes a value of 10 MB', () => {
    expect(Buffer.byteLength(scrubValue('x'.repeat(10_000_000)).value as string)).toBeLessThanOrEqual(256 * 1024);
  });

  it('keeps a bounded number of notes', () => {
    const { notes } = scrubValue(Array.from({ length: 500 }, () => ({ password: 'x' })));
    expect(notes).toHaveLength(maxNotes);
    expect(notes.at(-1)).toEqual({ path: '', rule: 'more_notes' });
  });
});

describe('scrubValue gives JSON', () => {
  it('without lone surrogates, with NUL kept', () => {
    expect(scrubValue({ 'k\ud800': 'v\udc00\u0000' }).value).toEqual({ 'k\ufffd': 'v\ufffd\u0000' });
  });

  it('keeps numbers, truth values, null and structure', () => {
    const value = { a: [1, -0.5, true, false, null, {}, []], b: { c: 'text' } };
    expect(scrubValue(value)).toEqual({ value, notes: [] });
  });
});
