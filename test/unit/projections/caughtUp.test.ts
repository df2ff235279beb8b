import { describe, expect, it } from '@jest/globals';
import { Fault } from '../../../src/platform/fault.js';
import { CaughtUp } from '../../../src/projections/folding/caughtUp.js';

const at = (view: string, position: string | null, halted: string | null = null): { view: string; position: string | null; halted: string | null } => ({ view, position, halted });

/** @returns whether a promise is settled once everything that can run has run */
async function settled(promise: Promise<void>): Promise<'resolved' | 'rejected' | 'waiting'> {
  const outcome = promise.then(() => 'resolved' as const, () => 'rejected' as const);
  return Promise.race([outcome, new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')))]);
}

describe('waiting for views', () => {
  it('ends when every view has come that far, compared as positions and not as text', async () => {
    const caughtUp = new CaughtUp();
    caughtUp.update([at('a', '9'), at('b', null)]);
    const waiting = caughtUp.reached('10', null);
    caughtUp.update([at('a', '10'), at('b', '9')]);
    expect(await settled(waiting)).toBe('waiting');
    caughtUp.update([at('a', '10'), at('b', '11')]);
    expect(await settled(waiting)).toBe('resolved');
  });

  it('looks only at the views that are named', async () => {
    const caughtUp = new CaughtUp();
    caughtUp.update([at('a', '10'), at('b', '1')]);
    expect(await settled(caughtUp.reached('10', ['a']))).toBe('resolved');
    expect(await settled(caughtUp.reached('10', ['b']))).toBe('waiting');
  });

  it('does not wait for a halted view unless it is named, and then says that it is in vain', async () => {
    const caughtUp = new CaughtUp();
    const all = caughtUp.reached('5', null);
    const named = caughtUp.reached('5', ['b']);
    caughtUp.update([at('a', '5'), at('b', '2', 'broken')]);
    await all;
    await expect(named).rejects.toMatchObject({ code: 'view_halted', details: { view: 'b' } });
    expect(await settled(caughtUp.reached('2', ['b']))).toBe('resolved');
  });

  it('ends for all when the views are gone', async () => {
    const caughtUp = new CaughtUp();
    const before = caughtUp.reached('1', null);
    caughtUp.fail(new Fault('failed', 'views_closed', 'closed'));
    await expect(before).rejects.toMatchObject({ code: 'views_closed' });
    await expect(caughtUp.reached('1', null)).rejects.toMatchObject({ code: 'views_closed' });
  });

  it('can be given up before and while it waits', async () => {
    const caughtUp = new CaughtUp();
    await expect(caughtUp.reached('1', null, AbortSignal.abort(new Error('never began')))).rejects.toThrow('never began');
    const abort = new AbortController();
    const waiting = caughtUp.reached('1', null, abort.signal);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    caughtUp.update([at('a', '1')]);
  });
});
