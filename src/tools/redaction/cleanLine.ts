const [escape, bell, csi, stringEnd] = [27, 7, 155, 156].map((code) => String.fromCharCode(code)) as [string, string, string, string];
/** ECMA-48 control sequences (`ESC [ … m`), commands to the terminal with their text, and lone escapes. */
const sequences = new RegExp(
  [
    `(?:${escape}\\[|${csi})[0-?]{0,64}[ -/]{0,16}[@-~]?`,
    `(?:${escape}[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^${bell}${escape}${stringEnd}]{0,2048}(?:${bell}|${escape}\\\\|${stringEnd})?`,
    `${escape}[ -/]{0,4}[0-~]?`,
  ].join('|'),
  'gu',
);
/** Characters that turn the direction of text around or cannot be seen. */
const unseen = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** One line of text without terminal control sequences, control characters and invisible characters. */
export function cleanLine(text: string): string {
  return text
    .replace(sequences, '')
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .replace(unseen, '')
    .trim();
}
