import { expect, it } from '@jest/globals';
import { isOver, signInLifeMs } from '../../../src/operations/servers/signIn/pendingSignIn.js';

it.each([
  ['has just begun', signInLifeMs, false],
  ['has a moment left', 1, false],
  ['ends now', 0, true],
  ['has ended', -1, true],
  ['would end later than any that begins now, because the clock was set back', signInLifeMs + 1, true],
])('a sign-in that %s', (_what, left, over) => {
  const now = 5_000_000;
  expect(isOver({ expiresAt: now + left }, now)).toBe(over);
});
