import { othersWords } from './othersWords.js';

const most = 10;

/** Names that another party gave, inside a sentence of ours: each set apart as its words are, the first ten, and how many more there are. */
export function othersNames(names: readonly string[]): string {
  const shown = names.slice(0, most).map(othersWords).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
