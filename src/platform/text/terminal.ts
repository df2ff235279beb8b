/**
 * Everything that does something to a terminal, or hides in text, instead of being seen: control characters (C0, C1,
 * DEL), line and paragraph separators, format characters (bidi, zero-width, tags), lone surrogates, other characters
 * that are drawn as nothing, and variation selectors that vary nothing.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?![\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}])\p{Default_Ignorable_Code_Point}|(?<![^\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}])[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu;

/**
 * Makes text safe to print: what would steer the terminal, reorder the line or stay invisible is shown as its code
 * point, `\u{1b}`. Letters, emoji and combining marks of every script stay as they are.
 * @param text from anywhere, of any length
 * @param options `keepNewlines`: line feeds stay, for text of several lines; carriage returns and tabs never do
 */
export function terminalSafe(text: string, options: { readonly keepNewlines?: boolean } = {}): string {
  return text.replace(unseen, (character) => (character === '\n' && options.keepNewlines === true ? character : shownCode(character)));
}

/**
 * Makes JSON text safe to print without changing what it says: inside its strings the same characters become JSON's
 * own `\u001b` escapes. Line feeds between values stay.
 * @param json the output of `JSON.stringify`, which never holds a raw control character inside a string
 */
export function terminalSafeJson(json: string): string {
  return json.replace(unseen, (character) => (character === '\n' ? character : jsonEscape(character)));
}

function shownCode(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}
