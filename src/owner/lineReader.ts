/** What a line reader finds. After `tooLong` the rest of the stream is of no use. */
export type ReadLine = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'notUtf8' } | { readonly kind: 'tooLong' };

const lineFeed = 0x0a;
const none = Buffer.alloc(0);

/**
 * Divides a byte stream into lines of UTF-8.
 * @param maxBytes most bytes of a line without its line feed
 * @returns a function that takes the next bytes and gives the lines that end in them
 */
export function lineReader(maxBytes: number): (chunk: Buffer) => readonly ReadLine[] {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let held = none;
  let heldBytes = 0;

  const hold = (piece: Buffer): void => {
    if (heldBytes + piece.length > held.length) {
      // Doubling keeps the cost linear however small the pieces are.
      const larger = Buffer.allocUnsafe(Math.max(heldBytes + piece.length, 2 * held.length));
      held.copy(larger, 0, 0, heldBytes);
      held = larger;
    }
    piece.copy(held, heldBytes);
    heldBytes += piece.length;
  };

  const finish = (end: Buffer): ReadLine => {
    if (heldBytes > 0) hold(end);
    const line = heldBytes > 0 ? held.subarray(0, heldBytes) : end;
    held = none;
    heldBytes = 0;
    try {
      return { kind: 'line', text: decoder.decode(line) };
    } catch {
      return { kind: 'notUtf8' };
    }
  };

  return (chunk) => {
    const lines: ReadLine[] = [];
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(lineFeed, from);
      const piece = chunk.subarray(from, at < 0 ? chunk.length : at);
      if (heldBytes + piece.length > maxBytes) return [...lines, { kind: 'tooLong' }];
      if (at < 0) {
        hold(piece);
        return lines;
      }
      lines.push(finish(piece));
      from = at + 1;
    }
  };
}
