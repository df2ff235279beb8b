const encoder = new TextEncoder();

/**
 * The longest beginning of a text that takes at most `maxBytes` bytes of UTF-8 and splits no code point.
 * @returns the text itself when it fits
 */
export function cutUtf8(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  // A UTF-16 unit takes at least one byte, so nothing beyond maxBytes units can be in the answer.
  const head = text.length > maxBytes ? text.slice(0, maxBytes + 1) : text;
  const { read } = encoder.encodeInto(head, new Uint8Array(maxBytes));
  return read === text.length ? text : text.slice(0, read);
}
