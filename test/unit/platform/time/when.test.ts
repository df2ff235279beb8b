import { describe, expect, it } from '@jest/globals';
import { parseWhen } from '../../../../src/platform/time/when.js';

const now = Date.UTC(2026, 2, 10, 12);

describe('times as people give them', () => {
  it.each([
    ['2026-03-01T09:30:00Z', Date.UTC(2026, 2, 1, 9, 30)],
    ['2026-03-01T09:30Z', Date.UTC(2026, 2, 1, 9, 30)],
    ['2026-03-01T18:30:05.120+09:00', Date.UTC(2026, 2, 1, 9, 30, 5, 120)],
    ['2026-03-01T09:30:00.123456789-05:00', Date.UTC(2026, 2, 1, 14, 30, 0, 123)],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['90s', now - 90_000],
    ['15m', now - 900_000],
    ['24h', now - 86_400_000],
    ['7d', now - 604_800_000],
    ['0s', now],
  ])('%s', (text, ms) => {
    expect(parseWhen(text, now)).toBe(ms);
  });

  it('takes a plain date as its first moment in the local time zone', () => {
    expect(parseWhen('2026-03-01', now)).toBe(new Date(2026, 2, 1).getTime());
  });

  it.each([
    '',
    'yesterday',
    '2026-03-01T09:30:00',
    '2026-03-01 09:30Z',
    '2026-02-30',
    '2026-02-30T00:00Z',
    '2026-13-01',
    '2026-03-01T25:00Z',
    '2026-03-01T09:30:00+99:00',
    '01.03.2026',
    '1772357400',
    '-5m',
    '1.5h',
    '3w',
    '15 m',
    '999999999d',
    ' 15m',
  ])('refuses %j, saying what is allowed', (text) => {
    expect(() => parseWhen(text, now)).toThrow(
      expect.objectContaining({ kind: 'usage', code: 'invalid_time', message: expect.stringMatching(/Allowed: ISO 8601 .* plain date .* age/) as unknown }),
    );
  });

  it('shows what was given cut and safe to print', () => {
    expect(() => parseWhen(`\u001b[2J${'x'.repeat(10_000)}`, now)).toThrow(expect.objectContaining({ message: expect.stringMatching(/^"\\u\{1b\}\[2Jx{50,96}…"/) as unknown }));
  });
});
