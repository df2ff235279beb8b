import { beforeEach, describe, expect, it } from '@jest/globals';
import { startSealing } from '../../../src/reactors/sealing/sealingReactor.js';
import { manualTimers, type ManualTimers } from '../../support/dispatch/manualTimers.js';

/** A ledger that only counts. */
function countingLedger() {
  let unsealed = 0;
  let broken = false;
  const seals: number[] = [];
  const listeners = new Set<(position: string) => void>();
  return {
    seals,
    breaks: (is: boolean) => void (broken = is),
    add(count: number) {
      unsealed += count;
      for (const listener of listeners) listener('1');
    },
    store: {
      onAppended(listener: (position: string) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    sealer: {
      unsealed: async () => unsealed,
      async seal() {
        if (broken) throw new Error('no space');
        seals.push(unsealed);
        unsealed = 0;
        // The seal is an event too.
        for (const listener of listeners) listener('1');
        return null;
      },
    },
  };
}

describe('sealing while the ledger grows', () => {
  let ledger: ReturnType<typeof countingLedger>;
  let timers: ManualTimers;
  let warnings: string[];

  beforeEach(() => {
    ledger = countingLedger();
    timers = manualTimers();
    warnings = [];
  });
  const start = () => startSealing({ ...ledger, schedule: timers.schedule, everyEvents: 1_000, everyMs: 60_000, warn: (_, message) => void warnings.push(message) });
  /** Lets a second pass, and everything that follows from it. */
  async function second(times = 1): Promise<void> {
    for (let left = times; left > 0; left -= 1) {
      timers.elapse(1_000);
      await new Promise(setImmediate);
    }
  }

  it('seals when so many events were added', async () => {
    start();
    ledger.add(999);
    await second(5);
    expect(ledger.seals).toEqual([]);
    ledger.add(1);
    await second();
    expect(ledger.seals).toEqual([1_000]);
  });

  it('seals when something was added and so much time has passed', async () => {
    start();
    ledger.add(1);
    await second(59);
    expect(ledger.seals).toEqual([]);
    await second();
    expect(ledger.seals).toEqual([1]);
  });

  it('does nothing while nothing is added, and nothing because of its own seal', async () => {
    start();
    await second(200);
    ledger.add(1);
    await second(62);
    expect([ledger.seals, timers.waiting()]).toEqual([[1], 0]);
    await second(200);
    expect(ledger.seals).toEqual([1]);
  });

  it('seals what was unsealed when it began', async () => {
    ledger.add(5);
    start();
    await second(60);
    expect(ledger.seals).toEqual([5]);
  });

  it('tries again after a failure, and says so', async () => {
    start();
    ledger.breaks(true);
    ledger.add(2_000);
    await second();
    expect([ledger.seals, warnings]).toEqual([[], ['the ledger could not be sealed; it is tried again']]);
    ledger.breaks(false);
    await second(60);
    expect(ledger.seals).toEqual([2_000]);
  });

  it('seals what is left when it ends, and only then', async () => {
    const end = start();
    ledger.add(3);
    await end();
    expect([ledger.seals, timers.waiting()]).toEqual([[3], 0]);
    ledger.add(3);
    await second(100);
    await end();
    expect(ledger.seals).toEqual([3, 3]);
  });
});
