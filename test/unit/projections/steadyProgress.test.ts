import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { steadyProgress } from '../../../src/projections/rebuilding/steadyProgress.js';
import type { RebuildProgress } from '../../../src/projections/views.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('progress of a rebuild', () => {
  const word = (done: number): RebuildProgress => ({ views: ['a'], phase: 'folding', done, total: 9, eventsPerSecond: 1 });

  it('is told as it comes, and again when nothing comes for long, until the end', () => {
    const heard: number[] = [];
    const steady = steadyProgress(['a'], ({ done }) => heard.push(done));
    jest.advanceTimersByTime(200);
    steady.hear(word(3));
    jest.advanceTimersByTime(100);
    steady.hear(word(4));
    jest.advanceTimersByTime(100);
    expect(heard).toEqual([0, 3, 4]);
    jest.advanceTimersByTime(400);
    expect(heard).toEqual([0, 3, 4, 4, 4, 4]);
    steady.end();
    jest.advanceTimersByTime(1000);
    expect(heard).toHaveLength(6);
  });
});
