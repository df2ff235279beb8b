import { expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expireInTime } from '../../../src/operations/servers/signIn/ending/expireInTime.js';
import type { PendingSignIn } from '../../../src/operations/servers/signIn/pending/pendingSignIn.js';
import type { SignInStore } from '../../../src/operations/servers/signIn/pending/signInStore.js';
import { signInOutcomes } from '../../../src/operations/servers/signIn/signInOutcomes.js';
import type { OwnerServices } from '../../../src/operations/services.js';

const due = { signInId: 'a', expiresAt: 600_000 };

/** A clock and timers that a test moves, over a store that says when it is looked through. */
function setUp(all: () => Promise<[]>, phase: PendingSignIn['phase']['kind'] = 'offered') {
  const time = { now: 0 };
  const timers = new Map<() => void, number>();
  const outcomes = signInOutcomes();
  const pending = { all, forgetEnded: async () => undefined, read: async () => ({ pending: { phase: { kind: phase } }, version: '1' }) } as unknown as Partial<SignInStore>;
  const services = {
    clock: { now: () => time.now },
    schedule: (ms: number, run: () => void) => {
      timers.set(run, time.now + ms);
      return () => void timers.delete(run);
    },
    signIns: { outcomes, pending },
  } as unknown as OwnerServices;
  /** Fires what is planned; with a clock that is behind. */
  const fire = (now: number): void => {
    time.now = now;
    for (const run of [...timers.keys()]) {
      timers.delete(run);
      run();
    }
  };
  return { services, outcomes, timers, fire };
}

it('a sign-in ends when its time is over, also when the timer is early', async () => {
  let looked = 0;
  const { services, timers, fire } = setUp(async () => {
    looked += 1;
    return [];
  });
  expireInTime(services, due);
  expect([...timers.values()]).toEqual([600_000]);
  fire(599_999);
  expect([looked, [...timers.values()]]).toEqual([0, [600_000]]);
  fire(600_000);
  expect([looked, timers.size]).toEqual([1, 0]);
});

it('who waits is told also when the end cannot be recorded', async () => {
  const { services, outcomes, fire } = setUp(async () => Promise.reject(new Error('disk full')));
  const ended = outcomes.wait('a', new AbortController().signal);
  expireInTime(services, due);
  fire(600_000);
  expect(await ended).toMatchObject({ status: 'failed', reason: 'expired' });
});

it('who waits is not told that it ended when its answer was taken: whoever goes on with it tells them', async () => {
  const { services, outcomes, fire } = setUp(async () => Promise.reject(new Error('disk full')), 'answered');
  const ended = outcomes.wait('a', new AbortController().signal);
  expireInTime(services, due);
  fire(600_000);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  outcomes.tell('a', { status: 'signed_in', reason: null, missing: [], message: '', found: null });
  expect(await ended).toMatchObject({ status: 'signed_in' });
});

it('nothing is looked at after it was stopped', () => {
  const { services, timers } = setUp(async () => []);
  expireInTime(services, due)();
  expect(timers.size).toBe(0);
});
