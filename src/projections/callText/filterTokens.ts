import type { CallFacts } from '../callFacts.js';
import { termsOf, type CallTerm } from '../callTerms.js';

/** Begins every token that stands for a filter value. A private-use character, which no word of a text can hold. */
const mark = '\u{E000}';
const markedTerm = { outcome: tokenOf('o=') };

/** A filter value as one token of the text index. */
export function tokenOf(term: CallTerm): string {
  // The index splits at ASCII punctuation and ignores ASCII case: such characters move into the private-use area.
  return mark + term.replace(/[^a-z0-9\u0080-\uffff]/g, (character) => String.fromCharCode(0xe100 + character.charCodeAt(0)));
}

/** All filter tokens of a call, divided by spaces. */
export function filterTokens(call: CallFacts): string {
  return termsOf(call).map(tokenOf).join(' ');
}

/** The tokens of a call after it ended in another way. */
export function endedTokens(tokens: string, ending: Pick<CallFacts, 'outcome' | 'reasons'>): string {
  const kept = tokens.split(' ').filter((token) => !token.startsWith(markedTerm.outcome));
  const terms: CallTerm[] = [`o=${ending.outcome}`, ...ending.reasons.map((reason): CallTerm => `r=${reason}`)];
  return [...new Set([...kept, ...terms.map(tokenOf)])].join(' ');
}
