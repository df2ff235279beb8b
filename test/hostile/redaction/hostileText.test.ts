import { describe, expect, it } from '@jest/globals';
import { maxScrubBytes, scrubText } from '../../../src/platform/scrub/scrubText.js';
import { tokenRules } from '../../../src/platform/scrub/finders/tokenRules.js';

/** Beginnings of what rules look for, over and over and never finished: where expressions go back and forth, this hurts. */
const floods: readonly string[] = [
  'a', '1', 'aA1', 'a.', 'a-', 'a_', 'a/', '=', ':', ' ', '\n', '"', "'", '\\', '%', '%41', '\\u0041', '&', '?', '@', '<a ', '{', '[', '：', 'あ', '\u200b', 'ａ',
  'eyJ', '-eyJ', 'eyJa.', 'ghp_', 'sk-', 'xoxb-', 'AKIA', 'AAAA', '12345678:', 'mfa.', 'data:a;base64,', 'hooks.slack.com/services/',
  ['-----BEGIN', ' PRIVATE KEY-----'].join(''), ['-----END', ' PRIVATE KEY-----'].join(''), 'a://b:c', '://', 'a:b@', 'postgres://a:b', 'https://', '&token=', '?a',
  'password', 'password=', 'password: ', 'password:"', 'password: "a\\', '"password":[', 'password: f(', 'pass word : ', 'token: x.', 'secret=(', 'authorization: ', 'bearer ', 'basic a', 'cookie: a',
  ' -u a:', '--token ', 'login a password ', 'name="password" ', 'パスワード', 'パスワードは', 'password is ', '[redacted:pem]', '[redacted:',
];

const flood = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

describe('hostile text', () => {
  it.each(floods)('%j over and over, 256 KiB of it: it ends, within bounds', (unit) => {
    const { text } = scrubText(flood(unit, maxScrubBytes));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxScrubBytes);
  });

  it.each(floods)('%j over and over: the second time nothing changes', (unit) => {
    const once = scrubText(flood(unit, 8 * 1024)).text;
    expect(scrubText(once).text === once).toBe(true);
  });
});

describe('the work of the shapes', () => {
  it.each(tokenRules.map(({ rule, shape }) => [rule, shape] as const))('%s repeats nothing without a bound: %s', (_, shape) => {
    const bare = shape.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
    expect(bare).not.toMatch(/[*+]|\{\d+,\}/);
  });

  it('is not multiplied by a repetition of repetitions', () => {
    for (const { shape } of tokenRules) expect(shape).not.toMatch(/\{\d+,\d{3,}\}[^)]*\)\{\d+,\d{2,}\}/);
  });
});
