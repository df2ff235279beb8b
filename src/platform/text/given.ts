import { scrubText } from '../scrub/scrubText.js';
import { terminalSafe } from './terminal.js';

const mostCharacters = 100;
/** A verifier key takes its name and about 60 characters. */
const mostOfKey = 300;

/**
 * Shows what somebody gave inside an error message: in quotes, without secrets, safe for a terminal and at most 100
 * characters of it.
 */
export function quoteGiven(text: string): string {
  return quoted(scrubText(text).text, mostCharacters);
}

/** As `quoteGiven`, of a public key: nothing in it is secret, and what is wrong with it can be anywhere in it. A private key given instead is not shown. */
export function quotePublicKey(text: string): string {
  return /private/i.test(text) ? quoteGiven(text) : quoted(text, mostOfKey);
}

function quoted(text: string, most: number): string {
  const characters = Array.from(text);
  return `"${terminalSafe(characters.slice(0, most).join(''))}${characters.length > most ? '…' : ''}"`;
}
