import { describe, expect, it } from '@jest/globals';
import { Fault } from '../../../src/platform/fault.js';
import { CaughtUp, type Goal, type ViewPlace } from '../../../src/projections/folding/caughtUp.js';

const at = (view: string, position: string | null, stopped: { readonly halted?: string; readonly trouble?: string } = {}): ViewPlace => ({ view, position, halted: null, trouble: null, ...stopped });
const goal = (position: string, views: readonly string[] | null = null, wake = 0): Goal => ({ position, views, wake });

/** @returns whether a promise is settled once everything that can run has run */
async function settled(promise: Promise<unknown>): Promise<'resolved' | 'rejected' | 'waiting'> {
  const outcome = promise.then(() => 'resolved' as const, () => 'rejected' as const);
  return Promise.race([outcome, new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')))]);
}

describe('waiting for views', () => {
  it('ends when every view has come that far, compared as positions and not as text', async () => {
    const caughtUp = new CaughtUp();
    caughtUp.update([at('a', '9'), at('b', null)], 0);
    const waiting = caughtUp.reached(goal('10'));
    caughtUp.update([at('a', '10'), at('b', '9')], 0);
    expect(await settled(waiting)).toBe('waiting');
    caughtUp.update([at('a', '10'), at('b', '11')], 0);
    expect(await waiting).toEqual([]);
  });

  it('looks only at the views that are named', async () => {
    const caughtUp = new CaughtUp();
    caughtUp.update([at('a', '10'), at('b', '1')], 0);
    expect(await settled(caughtUp.reached(goal('10', ['a'])))).toBe('resolved');
    expect(await settled(caughtUp.reached(goal('10', ['b'])))).toBe('waiting');
  });

  it.each([{ halted: 'broken' }, { trouble: 'the disk is full' }])('leaves a view behind that cannot go on (%j), and says that it is in vain where it is named', async (stopped) => {
    const caughtUp = new CaughtUp();
    const all = caughtUp.reached(goal('5'));
    const named = caughtUp.reached(goal('5', ['b']));
    caughtUp.update([at('a', '5'), at('b', '2', stopped)], 0);
    expect(await all).toEqual([{ view: 'b', why: Object.values(stopped)[0] }]);
    await expect(named).rejects.toMatchObject({ code: 'view_halted', details: { view: 'b' } });
    expect(await settled(caughtUp.reached(goal('2', ['b'])))).toBe('resolved');
  });

  it('waits for those that can go on while another cannot', async () => {
    const caughtUp = new CaughtUp();
    const waiting = caughtUp.reached(goal('5'));
    caughtUp.update([at('a', '4'), at('b', '2', { trouble: 'the disk is full' })], 0);
    expect(await settled(waiting)).toBe('waiting');
    caughtUp.update([at('a', '5'), at('b', '2', { trouble: 'the disk is full' })], 0);
    expect(await waiting).toMatchObject([{ view: 'b' }]);
  });

  it('lets no trouble count from before it began: the disk may have room again', async () => {
    const caughtUp = new CaughtUp();
    caughtUp.update([at('a', '2', { trouble: 'the disk is full' })], 1);
    const waiting = caughtUp.reached(goal('5', null, 2));
    caughtUp.update([at('a', '2', { trouble: 'the disk is full' })], 1);
    expect(await settled(waiting)).toBe('waiting');
    caughtUp.update([at('a', '5')], 2);
    expect(await waiting).toEqual([]);
  });

  it('goes on while a view is being built again, and ends when that has failed', async () => {
    const caughtUp = new CaughtUp();
    caughtUp.repairing(['a']);
    const waiting = caughtUp.reached(goal('5'));
    caughtUp.update([at('a', null, { trouble: 'the file is damaged' })], 0);
    expect(await settled(waiting)).toBe('waiting');
    caughtUp.repairing([]);
    expect(await waiting).toEqual([{ view: 'a', why: 'the file is damaged' }]);
  });

  it('ends for all when the views are gone', async () => {
    const caughtUp = new CaughtUp();
    const before = caughtUp.reached(goal('1'));
    caughtUp.fail(new Fault('failed', 'views_closed', 'closed'));
    await expect(before).rejects.toMatchObject({ code: 'views_closed' });
    await expect(caughtUp.reached(goal('1'))).rejects.toMatchObject({ code: 'views_closed' });
  });

  it('can be given up before and while it waits', async () => {
    const caughtUp = new CaughtUp();
    await expect(caughtUp.reached(goal('1'), AbortSignal.abort(new Error('never began')))).rejects.toThrow('never began');
    const abort = new AbortController();
    const waiting = caughtUp.reached(goal('1'), abort.signal);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    caughtUp.update([at('a', '1')], 0);
  });
});
