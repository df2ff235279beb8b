import { describe, expect, it } from '@jest/globals';
import { bitmapSpan, countBits, decodeBitmap, emptyBitmap, encodeBitmap, intersect, numbersIn, setBit } from '../../../src/projections/toolCallLog/bitmap.js';

function bitmapOf(numbers: readonly number[]): Uint32Array {
  const bitmap = emptyBitmap();
  for (const number of numbers) setBit(bitmap, number, true);
  return bitmap;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('a bitmap', () => {
  it.each([[[]], [[0]], [[31, 32, 4095]], [upTo(255)], [upTo(256)], [upTo(bitmapSpan)]])('comes back from storage as it was', (numbers) => {
    expect(numbersIn(decodeBitmap(encodeBitmap(bitmapOf(numbers))))).toEqual(numbers);
  });

  it('is stored as numbers while that is shorter, and as bits otherwise', () => {
    expect([0, 1, 255, 256, bitmapSpan].map((count) => encodeBitmap(bitmapOf(upTo(count))).length)).toEqual([0, 2, 510, 512, 512]);
  });

  it('forgets a number that is taken out', () => {
    const bitmap = bitmapOf([5, 31]);
    setBit(bitmap, 31, false);
    setBit(bitmap, 6, false);
    expect(numbersIn(bitmap)).toEqual([5]);
  });

  it.each([[[]], [[0]], [[31, 32, 4095]], [upTo(77)], [upTo(bitmapSpan)]])('knows how many it holds', (numbers) => {
    expect(countBits(bitmapOf(numbers))).toBe(numbers.length);
  });

  it('keeps what is in both', () => {
    const bitmap = bitmapOf([1, 63, 64, 4095]);
    intersect(bitmap, bitmapOf([63, 65, 4095]));
    expect(numbersIn(bitmap)).toEqual([63, 4095]);
  });
});
