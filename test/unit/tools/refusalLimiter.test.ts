import { describe, expect, it } from '@jest/globals';
import { makeRefusalLimiter } from '../../../src/tools/dispatch/refusing/refusalLimiter.js';

const minute = 1_800_000_000_000 - (1_800_000_000_000 % 60_000);

function refusals(caller: string, now: number, reasons: readonly string[] = ['unknown_tool']) {
  return { workspace: 'local', caller, reasons, now };
}

describe('too many refusals', () => {
  it('are counted by reason beyond 60 of one caller in a minute', () => {
    const limiter = makeRefusalLimiter();
    const singles = Array.from({ length: 62 }, () => limiter.note(refusals('a', minute, ['switched_off', 'server_disabled'])).single);
    expect(singles.filter(Boolean)).toHaveLength(60);
    expect(limiter.note(refusals('b', minute)).single).toBe(true);
    expect(limiter.note(refusals('a', minute + 60_000))).toEqual({
      single: true,
      over: [{ workspace: 'local', caller: 'a', since: minute, counts: { switched_off: 2, server_disabled: 2 }, total: 2 }],
    });
  });

  it('are handed out once', () => {
    const limiter = makeRefusalLimiter();
    for (let n = 0; n < 61; n += 1) limiter.note(refusals('a', minute));
    expect(limiter.flush()).toHaveLength(1);
    expect(limiter.flush()).toEqual([]);
  });

  it('begin a new minute also when the clock was set back', () => {
    const limiter = makeRefusalLimiter();
    for (let n = 0; n < 61; n += 1) limiter.note(refusals('a', minute));
    expect(limiter.note(refusals('a', minute - 3_600_000))).toMatchObject({ single: true, over: [{ since: minute, total: 1 }] });
  });
});
