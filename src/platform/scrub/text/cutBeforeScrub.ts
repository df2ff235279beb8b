import { cutUtf8 } from './cutUtf8.js';
import { marker } from '../marker.js';

/** The last word before a cut may be half a secret that no rule knows any more; at most so much of it is dropped. */
const maxHalfWord = 4096;
const mark = marker('too_large');

/**
 * Bounds a text before it is scanned: what lies beyond `maxBytes` of UTF-8 is dropped unseen, and with it the word it
 * was cut in. A cut text ends in `[redacted:too_large]`.
 * @returns the text itself when it fits
 */
export function cutBeforeScrub(text: string, maxBytes: number): string {
  if (cutUtf8(text, Math.max(0, maxBytes)).length === text.length) return text;
  const head = cutUtf8(text, Math.max(0, maxBytes - mark.length));
  let end = head.length;
  while (end > 0 && head.length - end < maxHalfWord && !/\s/.test(head.charAt(end - 1))) end--;
  return head.slice(0, end) + mark;
}
