import { describe, expect, it } from '@jest/globals';
import { retryAfterMs } from '../../../src/mcp/client/failures/retryAfter.js';

const now = Date.UTC(2026, 11, 1, 12, 0, 0);

describe('how long a server asks to wait', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Tue, 01 Dec 2026 12:00:30 GMT', 30_000],
    ['Tue, 01 Dec 2026 11:00:00 GMT', 0],
    // More than a day is not believed.
    ['999999999999', 86_400_000],
    ['Wed, 01 Dec 2027 12:00:00 GMT', 86_400_000],
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
});
