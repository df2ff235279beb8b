import { describe, expect, it } from '@jest/globals';
import { keptWaitMs, retryAfterMs } from '../../../src/mcp/client/failures/retryAfter.js';

const now = Date.UTC(2026, 11, 1, 12, 0, 0);

describe('how long a server asks to wait', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Tue, 01 Dec 2026 12:00:30 GMT', 30_000],
    ['Tue, 01 Dec 2026 11:00:00 GMT', 0],
    ['999999999999', 999_999_999_999_000],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['Wed, 01 Dec 2027 12:00:00 GMT', 365 * 86_400_000],
    [null, null],
    ['', null],
    ['soon', null],
    ['-1', null],
    ['1.5', null],
    ['2026-12-01', null],
    ['Xyz, 99 Foo 2026 99:99:99 GMT', null],
    ['Tue, 99 Foo 2026 99:99:99 GMT', null],
  ])('takes %j as %p milliseconds', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it('is kept to for a day at most', () => {
    expect([0, 86_400_000, 86_400_001, Number.MAX_SAFE_INTEGER].map(keptWaitMs)).toEqual([0, 86_400_000, 86_400_000, 86_400_000]);
  });
});
