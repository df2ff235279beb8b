import { describe, expect, it } from '@jest/globals';
import { wishedPolicy } from '../../../../src/operations/servers/replay/wishedPolicy.js';
import { hour, minute } from '../../../support/serverLife.js';

const nothing = { baseMs: null, longestMs: null, autoDisableAfterMs: null };

describe('a policy that somebody wants to compare', () => {
  it('is the present one where nothing is said; the cap follows the first quarantine', () => {
    expect(wishedPolicy(nothing, 5 * minute)).toEqual({ baseMs: 5 * minute, longestMs: 3 * hour, autoDisableAfterMs: 24 * hour });
    expect(wishedPolicy({ ...nothing, baseMs: 10 * minute }, 5 * minute)).toMatchObject({ baseMs: 10 * minute, longestMs: 6 * hour });
    expect(wishedPolicy({ baseMs: 1000, longestMs: 1000, autoDisableAfterMs: 1000 }, 5 * minute)).toEqual({ baseMs: 1000, longestMs: 1000, autoDisableAfterMs: 1000 });
  });

  it.each([
    [{ ...nothing, baseMs: 2 * hour, longestMs: hour }, 'The cap of 1h is below the first quarantine of 2h; give a --cap that is at least as long, or a shorter --cooldown.'],
    [{ ...nothing, longestMs: minute }, 'The cap of 1m is below the first quarantine of 5m; give a --cap that is at least as long, or a shorter --cooldown.'],
    [{ ...nothing, baseMs: 0 }, 'The first quarantine was given as 0ms; it is from 1s to 366d.'],
    [{ ...nothing, autoDisableAfterMs: 367 * 24 * hour }, 'The time until a server is disabled by itself was given as 367d; it is from 1s to 366d.'],
  ])('is refused when it makes no sense: %j', (wish, message) => {
    expect(() => wishedPolicy(wish, 5 * minute)).toThrow(expect.objectContaining({ kind: 'usage', code: 'invalid_policy', message }));
  });
});
