import { lookAlikes } from './lookAlikes.js';

/** Of ASCII itself, as in confusables.txt: `0` and `O`, `1`, `I` and `l`, `m` and `rn`. */
const inAscii: readonly (readonly [string, string])[] = [['0', 'O'], ['1', 'l'], ['I', 'l'], ['|', 'l'], ['m', 'rn']];

const prototypes: ReadonlyMap<string, string> = new Map([
  ...inAscii,
  ...lookAlikes.flatMap(([looksLike, codePoints]) => codePoints.split(' ').map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), skeletonOfAscii(looksLike)] as const)),
]);

/**
 * What names have in common that people, or models, would take for one another: compatibility forms (NFKC), case, the
 * skeleton of Unicode TR39, and what is drawn as nothing. Two names are confusable when they share one of these keys.
 */
export function confusableKeys(name: string): readonly string[] {
  // A capital I looks like an l, which its small form does not: so the skeleton is taken of both.
  return [...new Set([skeleton(name).toLowerCase(), skeleton(name.normalize('NFKC').toLowerCase()).toLowerCase()])];
}

function skeleton(text: string): string {
  const plain = text.normalize('NFKC').normalize('NFD').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return Array.from(plain, (character) => prototypes.get(character) ?? character).join('');
}

function skeletonOfAscii(text: string): string {
  const own = new Map(inAscii);
  return Array.from(text, (character) => own.get(character) ?? character).join('');
}
