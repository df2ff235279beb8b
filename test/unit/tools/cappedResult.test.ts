import { describe, expect, it } from '@jest/globals';
import { capContent, capData } from '../../../src/tools/dispatch/ending/cappedResult.js';

describe('capping what a caller gets', () => {
  it('leaves data within the cap as it is', () => {
    const data = { a: [1, 'ü'] };
    expect(capData(data, 14)).toEqual({ value: data, truncated: false });
  });

  it('gives the beginning of the JSON text of larger data, cut between characters', () => {
    expect(capData({ a: [1, 'ü'] }, 13)).toEqual({ value: '{"a":[1,"ü"]', truncated: true });
    expect(capData('日本語', 8)).toEqual({ value: '日本', truncated: true });
  });

  it('keeps content parts up to the cap, cuts the text that crosses it and leaves out what follows', () => {
    const [small, long, last] = [{ type: 'text', text: 'a' }, { type: 'text', text: 'b'.repeat(100) }, { type: 'text', text: 'c' }] as const;
    const bytes = Buffer.byteLength(JSON.stringify(small));
    expect(capContent([small, long, last], bytes + 10)).toEqual({ value: [small, { type: 'text', text: 'b'.repeat(10) }], truncated: true });
  });

  it('leaves out a part of another kind that is too large, and keeps odd parts that fit', () => {
    expect(capContent([null, { type: 'image', data: 'x'.repeat(100) }], 50)).toEqual({ value: [null], truncated: true });
  });
});
