import { removerOf } from '../../../platform/scrub/knownSecrets.js';
import { scrubText } from '../../../platform/scrub/scrubText.js';
import { visibleText } from '../listing/visibleText.js';
import { cutMessage } from './cutMessage.js';

/** Longest message handed out, in UTF-16 code units. */
const maxMessageLength = 500;

/** A server's words are read only this far; the rest would not be shown anyway. */
const readAtMost = 8_192;

/**
 * Makes a text that may hold a server's own words safe to record and to show: one line, no terminal escapes, no hidden
 * characters, no secrets, URLs reduced to scheme, host and port.
 * @param secrets values known to be secret, e.g. the token that was sent
 */
export function safeMessage(text: string, secrets: readonly string[]): string {
  // Hidden characters go first: inside a secret they would keep it from being found.
  const safe = removerOf(secrets)(visibleText(text.slice(0, readAtMost).replace(/\s+/g, ' ')));
  // Punctuation after a URL belongs to the sentence.
  const reduced = safe.replace(/\b(?:https?|wss?):\/\/[^\s"'<>`\u201c\u201d]*[^\s"'<>`\u201c\u201d.,;:!?)]/gi, reduceUrl);
  return cutMessage(scrubText(reduced).text.trim(), maxMessageLength);
}

function reduceUrl(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : '[url]';
}
