import { allMatches } from './allMatches.js';
/** A text with one layer of escaping taken off, and where each of its UTF-16 units came from. */
export interface Unescaped {
  readonly text: string;
  /** Offset in the escaped text of each unit, and of the end. */
  readonly origin: Uint32Array;
}

const zeroWidth = '\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff';
const escapeUnit = new RegExp(
  [
    '(?<percent>(?:%[0-9A-Fa-f]{2}){1,4096})',
    '\\\\u(?<unicode>[0-9A-Fa-f]{4})',
    '\\\\x(?<hex>[0-9A-Fa-f]{2})',
    '\\\\(?<single>["\'`\\\\/nrtbf0])',
    '&(?<entity>amp|quot|apos|lt|gt|#39|#34|#38|#x27|#x22|#x26);',
    '(?<wide>[\uff01-\uff5e\u3000])',
    `(?<invisible>[${zeroWidth}])`,
  ].join('|'),
  'g',
);

const singles: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0' };
const entities: { readonly [name: string]: string } = {
  amp: '&', '#38': '&', '#x26': '&', quot: '"', '#34': '"', '#x22': '"', apos: "'", '#39': "'", '#x27': "'", lt: '<', gt: '>',
};

/**
 * Takes off one layer of what hides a secret from a reader of plain text: percent-encoding, backslash escapes,
 * HTML entities, full-width Latin, invisible characters.
 * @returns null when there is nothing to take off
 */
export function unescapeText(text: string): Unescaped | null {
  const found = allMatches(text, escapeUnit);
  if (found.length === 0) return null;
  const origin = new Uint32Array(text.length + 1);
  let plain = '';
  let copied = 0;
  const put = (piece: string, at: number, step: number): void => {
    for (let unit = 0; unit < piece.length; unit++) origin[plain.length + unit] = at + unit * step;
    plain += piece;
  };
  for (const { 0: escape, index, groups } of found) {
    put(text.slice(copied, index), copied, 1);
    for (const [piece, offset] of pieces(groups ?? {})) put(piece, index + offset, 0);
    copied = index + escape.length;
  }
  put(text.slice(copied), copied, 1);
  origin[plain.length] = text.length;
  return { text: plain, origin };
}

/** What one escape stands for: pieces of text, each with its offset within the escape. */
function pieces(groups: { readonly [name: string]: string | undefined }): readonly (readonly [string, number])[] {
  if (groups['percent'] !== undefined) return percentPieces(groups['percent']);
  const code = groups['unicode'] ?? groups['hex'];
  if (code !== undefined) return [[String.fromCharCode(parseInt(code, 16)), 0]];
  if (groups['single'] !== undefined) return [[singles[groups['single']] ?? groups['single'], 0]];
  if (groups['entity'] !== undefined) return [[entities[groups['entity']] ?? '', 0]];
  if (groups['wide'] !== undefined) return [[groups['wide'].normalize('NFKC'), 0]];
  return [];
}

function percentPieces(run: string): (readonly [string, number])[] {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
  const utf8 = bytes.toString('utf8');
  // Bytes that are no UTF-8 are shown one by one, so that offsets stay true.
  const characters = utf8.includes('\ufffd') ? Array.from(bytes.toString('latin1')) : Array.from(utf8);
  const width = utf8.includes('\ufffd') ? () => 1 : (character: string) => Buffer.byteLength(character);
  let at = 0;
  return characters.map((character) => {
    const piece = [character, at * 3] as const;
    at += width(character);
    return piece;
  });
}
