/**
 * Words of another party inside a sentence of ours, set apart by curly quotes, so that whatever they are nobody takes them
 * for our advice: within such quotes nothing is a command or a piece of code.
 */
export function othersWords(text: string): string {
  return `\u201c${text.replace(/[\u201c\u201d]/g, '"')}\u201d`;
}
