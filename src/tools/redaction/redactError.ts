import { scrubText } from '../../platform/scrub/scrubText.js';
import { cleanLine } from './cleanLine.js';

/** Most code points of an error message that are kept. */
export const maxErrorCharacters = 500;
/** Looked at before cutting; the rest of a longer message is dropped unseen. */
const maxScanned = 16 * 1024;

/**
 * An error text fit for ledger, log and terminal: one line, no secrets, no control characters, at most 500 code points.
 * Control characters go first, or a secret could hide behind one.
 */
export function redactError(message: string): string {
  const { text } = scrubText(cleanLine(message.slice(0, maxScanned)));
  const characters = Array.from(text);
  return characters.length <= maxErrorCharacters ? text : `${characters.slice(0, maxErrorCharacters - 1).join('')}…`;
}
