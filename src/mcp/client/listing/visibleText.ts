/** Control characters other than tab and line break, in C0 and C1. */
const control = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f';
/** Characters that reorder text, or that nobody sees and a model still reads. Joiners stay: scripts and emoji need them. */
const hidden =
  '\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}';

/** In results a carriage return may be part of a file. */
const unseenInResults = new RegExp(`(?!\r)[${control}${hidden}]`, 'gu');
const unseen = new RegExp(`[${control}${hidden}]`, 'gu');
const loneSurrogate = /\p{Surrogate}/gu;

/** The text without control, reordering, tag and other invisible characters, and without broken code units. */
export function visibleText(text: string): string {
  return text.replace(unseen, '').replace(loneSurrogate, '\ufffd');
}

/** A text of a result: the same, but for carriage returns, which stay. */
export function visibleResultText(text: string): string {
  return text.replace(unseenInResults, '').replace(loneSurrogate, '\ufffd');
}

/** The text cut to at most `max` code units, never inside a character; cutting shows as an ellipsis. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
