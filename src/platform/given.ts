import { scrubText } from './scrub/scrubText.js';
import { terminalSafe } from './terminal.js';

const mostCharacters = 100;

/**
 * Shows what somebody gave inside an error message: in quotes, without secrets, safe for a terminal and at most 100
 * characters of it.
 */
export function quoteGiven(text: string): string {
  const characters = Array.from(scrubText(text).text);
  const shown = characters.slice(0, mostCharacters).join('');
  return `"${terminalSafe(shown)}${characters.length > mostCharacters ? '…' : ''}"`;
}
