import { othersWords } from '../../../platform/text/othersWords.js';

/**
 * A server's own words, set apart from ours and after them, so that whatever they are nobody takes them for our advice.
 * In curly quotes, because no secret that is taken out later holds one.
 * @returns with a space in front; blank when the server said nothing
 */
export function serverWords(text: string): string {
  const words = text.trim();
  return words === '' ? '' : ` It says: ${othersWords(words)}`;
}
