/** How many numbers one bitmap covers. */
export const bitmapSpan = 4096;

const words = bitmapSpan / 32;
const denseBytes = bitmapSpan / 8;

/** A set of numbers from 0 to 4095, one bit each. */
export type Bitmap = Uint32Array;

export function emptyBitmap(): Bitmap {
  return new Uint32Array(words);
}

export function setBit(bitmap: Bitmap, at: number, on: boolean): void {
  const word = at >>> 5;
  const mask = 1 << (at & 31);
  bitmap[word] = on ? (bitmap[word] ?? 0) | mask : (bitmap[word] ?? 0) & ~mask;
}

/** Keeps in `into` only what is in `other` too. */
export function intersect(into: Bitmap, other: Bitmap): void {
  for (let word = 0; word < words; word += 1) into[word] = (into[word] ?? 0) & (other[word] ?? 0);
}

/** How many numbers are in the set. */
export function countBits(bitmap: Bitmap): number {
  let count = 0;
  for (const word of bitmap) {
    // Adds neighbouring bits, then pairs, then fours; the product sums the four bytes into the highest.
    const pairs = word - ((word >>> 1) & 0x5555_5555);
    const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
    count += Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return count;
}

/** The numbers in the set, rising. */
export function numbersIn(bitmap: Bitmap): number[] {
  const numbers: number[] = [];
  for (let word = 0; word < words; word += 1) {
    let rest = bitmap[word] ?? 0;
    while (rest !== 0) {
      const lowest = rest & -rest;
      numbers.push(word * 32 + 31 - Math.clz32(lowest));
      rest ^= lowest;
    }
  }
  return numbers;
}

/**
 * The set as it is stored: up to 255 numbers as little-endian 16-bit integers, more as the 512 bytes of the bitmap.
 * @returns an empty buffer for an empty set
 */
export function encodeBitmap(bitmap: Bitmap): Buffer {
  const numbers = numbersIn(bitmap);
  const sparse = numbers.length * 2 < denseBytes;
  const stored = Buffer.allocUnsafe(sparse ? numbers.length * 2 : denseBytes);
  if (sparse) numbers.forEach((number, index) => stored.writeUInt16LE(number, index * 2));
  else bitmap.forEach((word, index) => stored.writeUInt32LE(word, index * 4));
  return stored;
}

/** Reads what `encodeBitmap` made. */
export function decodeBitmap(stored: Buffer): Bitmap {
  const bitmap = emptyBitmap();
  if (stored.length === denseBytes) for (let word = 0; word < words; word += 1) bitmap[word] = stored.readUInt32LE(word * 4);
  else for (let at = 0; at < stored.length; at += 2) setBit(bitmap, stored.readUInt16LE(at), true);
  return bitmap;
}
