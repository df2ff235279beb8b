import { describe, expect, it } from '@jest/globals';
import { StreamHeads } from '../../../src/events/sqlite/writing/streamHeads.js';

describe('StreamHeads', () => {
  it('remembers the newest streams and forgets old ones', () => {
    const heads = new StreamHeads(3);
    for (let number = 0; number < 20; number += 1) heads.set(`s${number}`, number);
    for (const number of [17, 18, 19]) expect(heads.get(`s${number}`)).toBe(number);
    expect(heads.get('s0')).toBeUndefined();
  });

  it('gives the newest revision of a stream, also when an older one is still remembered', () => {
    const heads = new StreamHeads(2);
    heads.set('a', 0);
    heads.set('b', 0);
    heads.set('a', 1);
    expect(heads.get('a')).toBe(1);
  });

  it('forgets everything when told to', () => {
    const heads = new StreamHeads(2);
    heads.set('a', 0);
    heads.set('b', 0);
    heads.set('c', 0);
    heads.clear();
    expect(['a', 'b', 'c'].map((stream) => heads.get(stream))).toEqual([undefined, undefined, undefined]);
  });
});
