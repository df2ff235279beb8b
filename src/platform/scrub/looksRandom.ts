/** Fewer characters than this are never judged by randomness alone: too many ordinary names are as short. */
export const minRandomLength = 20;

const dividers = /[-_/+.=]+/;

/**
 * Whether a run of base64, base64url or base62 characters looks drawn at random rather than written by a person or
 * a well-known kind of identifier. Hexadecimal digests, UUIDs, plain numbers, words, paths and camel case do not.
 */
export function looksRandom(run: string): boolean {
  if (run.length < minRandomLength) return false;
  if (/^(?:0x)?[0-9a-f]{1,128}$/i.test(run) || /^[\d._/+=-]+$/.test(run)) return false;
  if (/^(?:[0-9a-f]{1,64}[-_/.+=]){1,16}[0-9a-f]{1,64}$/i.test(run)) return false;
  const pieces = run.split(dividers).filter((piece) => piece !== '');
  const longest = Math.max(...pieces.map((piece) => piece.length), 0);
  if (longest < 8 || pieces.every(isOrdinary)) return false;
  const letters = pieces.join('');
  if (letters.length < minRandomLength - 2) return false;
  return changes(letters) >= (hasThreeKinds(letters) ? 0.34 : 0.3) && entropy(letters) >= Math.min(3.6, Math.log2(letters.length) * 0.78);
}

/** A word, a number, a hexadecimal digest, a word with a number at its end, or words in camel case. */
function isOrdinary(piece: string): boolean {
  return (
    piece.length <= 3 ||
    /^(?:\d+|[0-9a-f]+|[0-9A-F]+)$/.test(piece) ||
    /^(?:v?\d{0,4})?(?:[A-Z]{0,6}[a-z]{2,}|[A-Z]{2,6}|[A-Z][a-z]?){1,12}\d{0,4}$/.test(piece) && changes(piece) < 0.36
  );
}

function hasThreeKinds(text: string): boolean {
  return /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);
}

/** The share of neighbours that are of different kind (lower case, upper case, digit): 0 in words, over 0.4 at random. */
function changes(text: string): number {
  let count = 0;
  for (let at = 1; at < text.length; at++) if (kind(text.charCodeAt(at)) !== kind(text.charCodeAt(at - 1))) count++;
  return count / Math.max(1, text.length - 1);
}

function kind(code: number): number {
  return code <= 57 ? 0 : code <= 90 ? 1 : 2;
}

/** Shannon entropy of the characters, in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
