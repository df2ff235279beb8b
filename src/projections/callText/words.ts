/**
 * How text becomes words, for the index and for what is searched: one rule for both, so that the index needs only a
 * tokenizer that splits at spaces. Case, width and diacritics do not matter. Scripts without spaces between words
 * are cut into pairs of characters, so that any part of a sentence is found.
 */

/** Characters of scripts that are written without spaces, or glue particles to words. */
const unspaced =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u;
const wordRuns = /[\p{L}\p{N}\p{M}]+/gu;
const ascii = /^[\x00-\x7f]*$/; // eslint-disable-line no-control-regex -- the whole of ASCII is meant

/** Text as it is put into the index: words divided by spaces (or other ASCII that is no letter or digit). */
export function indexText(text: string): string {
  // SQLite's own functions take a NUL for the end of a text.
  if (ascii.test(text)) return text.toLowerCase().replaceAll('\0', ' ');
  const words: string[] = [];
  for (const piece of piecesOf(text)) {
    if (piece.kind === 'word') words.push(piece.text);
    else words.push(...pairsOf(piece.characters), piece.characters.at(-1) ?? '');
  }
  return words.join(' ');
}

/** A part of a search that the index can answer. */
export interface SearchWord {
  readonly word: string;
  readonly prefix: boolean;
}

/** What a search text asks for. */
export interface SearchWords {
  readonly words: readonly SearchWord[];
  /** Stretches of pairs that must follow each other just so in the indexed text. */
  readonly sequences: readonly string[];
}

/** Cuts what somebody searches for the same way as the index. A `*` right after a word makes it a prefix. */
export function searchWords(text: string): SearchWords {
  const words: SearchWord[] = [];
  const sequences: string[] = [];
  for (const part of text.split(/\s+/u)) {
    const pieces = piecesOf(part);
    pieces.forEach((piece, index) => {
      if (piece.kind === 'word') {
        words.push({ word: piece.text, prefix: index === pieces.length - 1 && part.endsWith('*') });
        return;
      }
      const pairs = pairsOf(piece.characters);
      // A single character is the beginning of a pair, or stands alone at the end of its run.
      if (pairs.length === 0) words.push({ word: piece.characters.join(''), prefix: true });
      words.push(...pairs.map((word) => ({ word, prefix: false })));
      if (pairs.length > 1) sequences.push(pairs.join(' '));
    });
  }
  return { words, sequences };
}

type Piece = { readonly kind: 'word'; readonly text: string } | { readonly kind: 'unspaced'; readonly characters: readonly string[] };

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [run] of folded(text).matchAll(wordRuns)) {
    let word = '';
    let characters: string[] = [];
    for (const character of run) {
      if (unspaced.test(character)) {
        if (word !== '') pieces.push({ kind: 'word', text: word });
        word = '';
        characters.push(character);
      } else {
        if (characters.length > 0) pieces.push({ kind: 'unspaced', characters });
        characters = [];
        word += character;
      }
    }
    if (word !== '') pieces.push({ kind: 'word', text: word });
    if (characters.length > 0) pieces.push({ kind: 'unspaced', characters });
  }
  return pieces;
}

function folded(text: string): string {
  // Only the marks of European scripts are dropped; composing again keeps the voiced kana and Hangul syllables whole.
  return text.toLowerCase().normalize('NFKD').replace(/[\u0300-\u036f]/gu, '').normalize('NFC').toLowerCase();
}

function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
