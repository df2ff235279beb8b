import { marker } from './marker.js';

/** Shorter values would stand in ordinary text by chance; whoever uses one has no secret. */
const shortest = 4;

/**
 * Makes a function that takes known secrets out of any text, wherever they stand, by exact match: as they are, in
 * base64 or base64url with or without padding, or percent-encoded.
 * @param secrets values in use, e.g. a token; those under 4 characters are passed over
 */
export function removerOf(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  // Of two forms that begin alike the longer one is meant.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escapeForRegExp).join('|'), 'g');
  return (text) => text.replace(pattern, marker('server_secret'));
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64');
  const percent = percentEncoded(secret);
  return [
    secret,
    base64,
    base64.replace(/=+$/, ''),
    bytes.toString('base64url'),
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
  ];
}

/** Every character that a URL may not hold as it is, as `encodeURIComponent` and forms write them. */
function percentEncoded(secret: string): string {
  return encodeURIComponent(secret.toWellFormed()).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
