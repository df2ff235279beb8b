const printableAscii = /^[\x20-\x7e]*$/;
const nothing = /^[\p{M}\p{Cc}\p{Cf}\u1160-\u11FF]$/u;
const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[0-9#*]\uFE0F\u20E3/u;
/** East Asian Wide and Fullwidth (UAX #11), in blocks; emoji are judged by property. */
const wide =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18CFF}\u{1AFF0}-\u{1B2FB}\u{20000}-\u{3FFFD}]$/u;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * How many terminal cells a line of text takes: two for East Asian wide characters and emoji, none for combining
 * marks, one for the rest.
 * @param text one line, already `terminalSafe`
 */
export function displayWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/**
 * Cuts a line of text to a number of terminal cells; what was cut ends in `…`. No character is cut in two.
 * @param width cells, at least 1
 */
export function cutToWidth(text: string, width: number): string {
  if (text.length <= width && printableAscii.test(text)) return text;
  let used = 0;
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    used += graphemeWidth(segment);
    if (used > width) return `${text.slice(0, end)}…`;
    if (used < width) end = index + segment.length;
  }
  return text;
}

function graphemeWidth(grapheme: string): number {
  if (emoji.test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) width += wide.test(character) ? 2 : nothing.test(character) ? 0 : 1;
  return width;
}
