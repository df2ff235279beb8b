import { findUrlSecrets } from '../../platform/scrub/finders/findUrlSecrets.js';
import { looksRandom } from '../../platform/scrub/finders/looksRandom.js';

/** A value of the query at least this long that is no plain word is taken for a secret. */
const longValue = 8;

/**
 * What in a server's URL may be secret: user information, values of the query whose names say so or that are no words,
 * and parts of the path that look drawn at random; each as it is written and as it is meant. Plain words such as
 * `?region=frankfurt` are left.
 */
export function urlSecrets(text: string): readonly string[] {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const values = url.search.slice(1).split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  const named = findUrlSecrets(text).map(({ start, end }) => text.slice(start, end));
  const found = [url.username, url.password, ...named, ...values.filter(isNoWord), ...url.pathname.split('/').filter(looksRandom)];
  return [...new Set(found.flatMap((value) => [value, meant(value)]))].filter((value) => value !== '');
}

function isNoWord(value: string): boolean {
  return value.length >= longValue && !/^[A-Za-z]?[a-z_-]*$/.test(value);
}

/** The text without percent-encoding; one that is encoded wrongly as it is. */
function meant(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}
