import { cutText } from '../listing/visibleText.js';

/** A message cut to at most `max` code units. A server's words that were cut end all the same, before anything of ours follows. */
export function cutMessage(message: string, max: number): string {
  const cut = cutText(message, max);
  return cut.lastIndexOf('\u201c') > cut.lastIndexOf('\u201d') ? `${cutText(cut, max - 1)}\u201d` : cut;
}
