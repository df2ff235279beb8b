import { isSecretName } from '../../platform/scrub/secretNames.js';
import { looksRandom } from '../../platform/scrub/finders/looksRandom.js';

/** A value of the query at least this long that is no plain word is taken for a secret. */
const longValue = 8;

/**
 * What in a server's URL may be secret: user information, values of the query, and parts of the path that look drawn at
 * random; each as it is written and as it is meant. Plain words such as `?region=frankfurt` are left.
 */
export function urlSecrets(text: string): readonly string[] {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const query = url.search.slice(1).split('&').map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)] as const);
  const values = query.filter(([name, value]) => isSecretName(meant(name)) || isNoWord(value)).map(([, value]) => value);
  const found = [url.username, url.password, ...values, ...url.pathname.split('/').filter(looksRandom)];
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
