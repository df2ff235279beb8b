/** A text with one layer of escaping taken off, and where each of its UTF-16 units came from. */
export interface Unescaped {
  readonly text: string;
  /** Offset in the escaped text of each unit, and of the end. */
  readonly origin: Uint32Array;
}

const invisible = '\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff';
const wide = '\uff01-\uff5e\u3000';
const escapes = new RegExp(
  `(?:%[0-9A-Fa-f]{2}){1,4096}|\\\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|["'\`\\\\/nrtbf0])|&(?:amp|quot|apos|lt|gt|#39|#34|#38|#x27|#x22|#x26);|[${wide}]|[${invisible}]`,
  'g',
);

const isWide = new RegExp(`[${wide}]`);

const singles = new Map(Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0' }));
const entities = new Map(
  Object.entries({ amp: '&', '#38': '&', '#x26': '&', quot: '"', '#34': '"', '#x22': '"', apos: "'", '#39': "'", '#x27': "'", lt: '<', gt: '>' }),
);

/**
 * Takes off one layer of what hides a secret from a reader of plain text: percent-encoding, backslash escapes,
 * HTML entities, full-width Latin, invisible characters.
 * @returns null when there is nothing to take off
 */
export function unescapeText(text: string): Unescaped | null {
  escapes.lastIndex = 0;
  let found = escapes.exec(text);
  if (found === null) return null;
  const origin = new Uint32Array(text.length + 1);
  const pieces: string[] = [];
  let length = 0;
  let copied = 0;
  const copyUntil = (end: number): void => {
    pieces.push(text.slice(copied, end));
    for (; copied < end; copied++) origin[length++] = copied;
  };
  for (; found !== null; found = escapes.exec(text)) {
    copyUntil(found.index);
    const plain = found[0].startsWith('%') ? percentDecoded(found[0]) : { text: decoded(found[0]), width: () => 0 };
    let at = found.index;
    for (const character of plain.text) {
      origin.fill(at, length, length + character.length);
      length += character.length;
      at += plain.width(character);
    }
    pieces.push(plain.text);
    copied = escapes.lastIndex;
  }
  copyUntil(text.length);
  origin[length] = text.length;
  return { text: pieces.join(''), origin };
}

function decoded(escape: string): string {
  const name = escape.slice(1);
  if (escape.startsWith('&')) return entities.get(name.slice(0, -1)) ?? '';
  if (!escape.startsWith('\\')) return isWide.test(escape) ? escape.normalize('NFKC') : '';
  if (name.length > 1) return String.fromCharCode(parseInt(name.slice(1), 16));
  return singles.get(name) ?? name;
}

/** The characters of a run of percent escapes, and how much of the run each takes. */
function percentDecoded(run: string): { readonly text: string; readonly width: (character: string) => number } {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
  const utf8 = bytes.toString('utf8');
  // Bytes that are no UTF-8 are shown one by one, so that offsets stay true.
  if (utf8.includes('\ufffd')) return { text: bytes.toString('latin1'), width: () => 3 };
  return { text: utf8, width: (character) => 3 * Buffer.byteLength(character) };
}
