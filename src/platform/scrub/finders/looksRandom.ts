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
  const joined = pieces.join('');
  if (joined.length < minRandomLength - 2 || pieces.every(isOrdinary)) return false;
  return wordShare(joined) >= leastShare(joined) && entropy(joined) >= Math.log2(Math.min(joined.length, 24)) * 0.75;
}

/** A short piece, a hexadecimal number, or words in camel case with at most one number. */
function isOrdinary(piece: string): boolean {
  return /^(?:.{1,3}|[0-9a-f]+|[0-9A-F]+|[a-z]{2,8}[A-Z][a-z]{1,8}|[A-Za-z][a-z]{1,11}\d{1,4})$/.test(piece) || (wordShare(piece) <= 0.3 && numbersIn(piece) <= 1);
}

/** Names hold a number at most, so without several numbers a run must be more broken than camel case ever is. */
function leastShare(text: string): number {
  if (numbersIn(text) < 2) return 0.42;
  return /[a-z]/.test(text) && /[A-Z]/.test(text) ? 0.34 : 0.28;
}

/** Words (in camel case) and numbers for each character: about 0.2 in names, about 0.45 at random. */
function wordShare(text: string): number {
  return (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g)?.length ?? 0) / Math.max(1, text.length);
}

function numbersIn(text: string): number {
  return text.match(/\d+/g)?.length ?? 0;
}

/** Shannon entropy of the characters, in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
