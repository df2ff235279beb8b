import { describe, expect, it } from '@jest/globals';
import { durationText, parseDuration } from '../../../../src/platform/time/duration.js';

describe('lengths of time as people give them', () => {
  it.each([['90s', 90_000], ['15m', 900_000], ['24h', 86_400_000], ['7d', 604_800_000], ['0s', 0]])('%s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '10', '1.5h', '-5m', '5 m', '1h30m', '5M', '1234567890s'])('%j is refused with what is allowed', (text) => {
    expect(() => parseDuration(text)).toThrow(expect.objectContaining({ kind: 'usage', code: 'invalid_duration', message: expect.stringContaining('(90s, 15m, 24h, 7d)') }));
  });
});

describe('a length of time for people', () => {
  it.each([[0, '0ms'], [250, '250ms'], [1_000, '1s'], [90_000, '1m 30s'], [300_000, '5m'], [5_400_000, '1h 30m'], [86_400_000, '1d'], [187_200_000, '2d 4h'], [86_430_000, '1d']])('%d ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
