import { describe, expect, it } from '@jest/globals';
import { maxScrubBytes, scrubText } from '../../../src/platform/scrub/scrubText.js';
import { ordinaryTexts } from '../../support/ordinaryText.js';
import { plantedSecrets } from '../../support/plantedSecrets.js';

describe('scrubText removes secrets', () => {
  it.each(plantedSecrets.map((planted) => [planted.kind, planted] as const))('%s', (_, { text, secret }) => {
    const { text: clean, rules } = scrubText(text);
    expect(clean).not.toContain(secret);
    expect(clean).toContain('[redacted:');
    expect(rules.length).toBeGreaterThan(0);
  });

  it.each(plantedSecrets.map((planted) => [planted.kind, planted] as const))('%s, in the middle of a message', (_, { text, secret }) => {
    expect(scrubText(`Hello,\nhere it is: ${text}\nthanks!`).text).not.toContain(secret);
  });

  it('keeps what stands around a secret', () => {
    expect(scrubText('https://bob:hunter22@example.com/a?token=abcdefgh&page=2#top').text).toBe(
      'https://[redacted:url_userinfo]@example.com/a?token=[redacted:url_parameter]&page=2#top',
    );
    expect(scrubText('{"password": "a b c", "user": "bob"}').text).toBe('{"password": "[redacted:assignment]", "user": "bob"}');
    expect(scrubText('Authorization: Bearer abcdefgh\r\nHost: example.com').text).toBe('Authorization: Bearer [redacted:authorization]\r\nHost: example.com');
  });

  it('names the rule of each secret once', () => {
    const key = ['gh', 'p_', 'abcdefghijklmnopqrst', '0123456789ABCDEF'].join('');
    expect(scrubText(`${key} and ${key}`)).toEqual({ text: '[redacted:github] and [redacted:github]', rules: ['github'] });
  });

  it('takes a whole pass phrase on a line of its own', () => {
    expect(scrubText('password: correct horse battery staple\nuser: bob').text).toBe('password: [redacted:assignment]\nuser: bob');
  });

  it('finds two secrets with nothing between them', () => {
    const first = ['AK', 'IA', 'IOSFODNN7EXAMPLE'].join('');
    const second = ['gh', 'p_', 'abcdefghijklmnopqrst0123456789'].join('');
    expect(scrubText(first + second).text).not.toMatch(/IOSF|abcdef/);
  });

  it('does not believe a marker that is none of its own', () => {
    expect(scrubText('password: [redacted:hunter2]').text).not.toContain('hunter2');
    expect(scrubText('password: [redacted:assignment]hunter2').text).not.toContain('hunter2');
  });
});

describe('scrubText leaves ordinary text alone', () => {
  it.each(ordinaryTexts.map((text) => [text]))('%j', (text) => {
    expect(scrubText(text)).toEqual({ text, rules: [] });
  });

  it('also when all of it stands in one text', () => {
    const text = ordinaryTexts.join('\n\n');
    expect(scrubText(text)).toEqual({ text, rules: [] });
  });
});

describe('scrubText changes nothing the second time', () => {
  it.each([...plantedSecrets.map(({ kind, text }) => [kind, text] as const)])('%s', (_, text) => {
    const once = scrubText(text).text;
    expect(scrubText(once)).toEqual({ text: once, rules: [] });
  });
});

describe('scrubText bounds its input', () => {
  it('cuts a text over 256 KiB and drops the rest unseen', () => {
    const { text, rules } = scrubText(`${'word '.repeat(60_000)} the end`);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxScrubBytes);
    expect(text).toMatch(/word \[redacted:too_large\]$/);
    expect(rules).toEqual(['too_large']);
  });

  it('leaves no half of a secret at the cut', () => {
    const key = ['gh', 'p_', 'abcdefghijklmnopqrst0123456789'].join('');
    const filler = 'word '.repeat(maxScrubBytes / 5).slice(0, maxScrubBytes - 40);
    for (let shift = 0; shift < 30; shift++) {
      expect(scrubText(`${filler.slice(shift)} ${key}${' more'.repeat(100)}`).text).not.toContain('ghp_');
    }
  });

  it('counts bytes, not characters', () => {
    const { text, rules } = scrubText('あ '.repeat(70_000));
    expect(rules).toEqual(['too_large']);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxScrubBytes);
  });

  it('gives the same when a cut text is scrubbed again', () => {
    const once = scrubText('password: a1 '.repeat(30_000)).text;
    expect(scrubText(once)).toEqual({ text: once, rules: [] });
  });

  it('replaces lone surrogates and keeps a NUL byte', () => {
    expect(scrubText('a\ud800b\u0000c').text).toBe('a\ufffdb\u0000c');
  });
});
