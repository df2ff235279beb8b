/** Characters that JSON leaves as they are and a terminal might obey or hide: C1 controls, DEL, bidi, zero width, tags. */
const unsafe = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/**
 * JSON text that is safe to print on a terminal and still the same JSON value.
 * @param indent spaces per level; 0 for one line
 */
export function jsonText(value: unknown, indent: 0 | 2 = 0): string {
  return JSON.stringify(value, null, indent).replace(unsafe, escaped);
}

function escaped(character: string): string {
  let text = '';
  for (let i = 0; i < character.length; i += 1) text += `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return text;
}
