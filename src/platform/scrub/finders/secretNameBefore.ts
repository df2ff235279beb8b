import { isPasswordName, isSecretName } from '../secretNames.js';

/** A secret name that stands in front of a separator. */
export interface NameBefore {
  readonly name: string;
  /** It means a password, not just a token or key. */
  readonly password: boolean;
  readonly quotedName: boolean;
}

const maxNameChars = 72;
const maxWords = 4;
const nameCharacter = /[\p{L}\p{N}\p{M}_$'’.-]/u;

/**
 * The secret name that ends at `end`: bare, in quotes or brackets (`x["token"]`), with a mark of optionality, or the
 * last words of what stands there ("my api key").
 * @returns null when no secret name ends there
 */
export function secretNameBefore(text: string, end: number): NameBefore | null {
  let stop = end;
  if (text[stop - 1] === ']') stop--;
  if (/[?!*]/.test(text.charAt(stop - 1))) stop--;
  const quotedName = /["'`]/.test(text.charAt(stop - 1));
  if (quotedName) stop--;
  const starts = wordStarts(text, stop);
  for (const start of starts) {
    const name = text.slice(start, stop);
    if (isSecretName(name)) return { name, password: isPasswordName(name), quotedName };
  }
  return null;
}

/** Where the last word before `end` begins, then the last two, and so on. */
function wordStarts(text: string, end: number): number[] {
  const starts: number[] = [];
  const least = Math.max(0, end - maxNameChars);
  let at = end;
  while (at > least && starts.length < maxWords) {
    while (at > least && nameCharacter.test(text.charAt(at - 1))) at--;
    if (at === end || text[at] === ' ') break;
    starts.push(at);
    if (text[at - 1] !== ' ') break;
    at--;
  }
  return starts;
}
