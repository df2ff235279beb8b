import { describe, expect, it } from '@jest/globals';
import { resumeBudget } from '../../../src/mcp/client/connecting/transport/resumeBudget.js';

describe('the budget of resumed streams', () => {
  const never = new AbortController().signal;

  it('lets so many a minute pass, and the next when one of them is a minute old', async () => {
    const minutes: (() => void)[] = [];
    const budget = resumeBudget(2, (ms, run) => {
      expect(ms).toBe(60_000);
      minutes.push(run);
      return () => undefined;
    });
    const passed: number[] = [];
    const turns = [1, 2, 3, 4].map((turn) => budget.turn(never).then(() => passed.push(turn)));
    await Promise.all(turns.slice(0, 2));
    expect(passed).toEqual([1, 2]);
    minutes.shift()?.();
    await turns[2];
    expect(passed).toEqual([1, 2, 3]);
    minutes.shift()?.();
    await turns[3];
    expect(minutes).toHaveLength(2);
  });

  it('is not used by who gives up waiting', async () => {
    const minutes: (() => void)[] = [];
    const budget = resumeBudget(1, (_, run) => {
      minutes.push(run);
      return () => undefined;
    });
    await budget.turn(never);
    const impatient = new AbortController();
    const given = budget.turn(impatient.signal);
    const next = budget.turn(never);
    impatient.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    minutes.shift()?.();
    await expect(next).resolves.toBeUndefined();
    await expect(budget.turn(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});
