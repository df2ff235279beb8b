import { removerOf } from '../../../platform/scrub/knownSecrets.js';
import { scrubText } from '../../../platform/scrub/scrubText.js';
import { visibleText } from './visibleText.js';

/** Makes a text of a server fit to be recorded and shown. */
export type CleanText = (text: string) => string;

/**
 * Texts of one server lose hidden characters first, because inside a secret they would keep it from being found, then
 * the secrets that are in use for the server, then what looks like a secret.
 */
export function cleanTextOf(secrets: readonly string[]): CleanText {
  const remove = removerOf(secrets);
  return (text) => scrubText(remove(visibleText(text))).text;
}
