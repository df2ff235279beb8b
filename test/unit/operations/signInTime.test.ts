import { expect, it } from '@jest/globals';
import { isOver, signInLifeMs } from '../../../src/operations/servers/signIn/pending/pendingSignIn.js';

it('a sign-in lasts ten minutes', () => {
  expect(signInLifeMs).toBe(600_000);
});

it.each([
  ['has just begun', signInLifeMs, false],
  ['has a moment left', 1, false],
  ['ends now', 0, true],
  ['has ended', -1, true],
  ['was begun before the clock was set back by five seconds', signInLifeMs + 5_000, false],
  ['was begun before the clock was set back by a minute', signInLifeMs + 60_000, false],
  ['was begun by a clock that was wrong by more than a minute', signInLifeMs + 60_001, true],
])('a sign-in that %s', (_what, left, over) => {
  const now = 5_000_000;
  expect(isOver({ expiresAt: now + left }, now)).toBe(over);
});
