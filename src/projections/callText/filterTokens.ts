import type { CallFacts } from '../callFacts.js';
import { termsOf, type CallTerm } from '../callTerms.js';

/** Begins every token that stands for a filter value. A private-use character, which no word of a text can hold. */
const mark = '\u{E000}';
/** Tokens made lately: terms come again and again. */
const made = new Map<CallTerm, string>();
const mostMade = 10_000;

const running = tokenOf('o=open');
const unknown = tokenOf('o=unknown');

/** A filter value as one token of the text index. */
export function tokenOf(term: CallTerm): string {
  const known = made.get(term);
  if (known !== undefined) return known;
  if (made.size >= mostMade) made.clear();
  const token = makeToken(term);
  made.set(term, token);
  return token;
}

function makeToken(term: CallTerm): string {
  // The index splits at ASCII punctuation and ignores ASCII case: such characters move into the private-use area.
  return mark + term.replace(/[^a-z0-9\u0080-\uffff]/g, (character) => String.fromCharCode(0xe100 + character.charCodeAt(0)));
}

/** All filter tokens of a call, divided by spaces. */
export function filterTokens(call: CallFacts): string {
  return termsOf(call).map(tokenOf).join(' ');
}

/** The tokens of a call that was running, or whose outcome was unknown, after it ended. */
export function endedTokens(tokens: string, ending: Pick<CallFacts, 'outcome' | 'reasons'>): string {
  const kept = tokens.split(' ').filter((token) => token !== running && token !== unknown);
  kept.push(tokenOf(`o=${ending.outcome}`));
  for (const reason of ending.reasons) if (!kept.includes(tokenOf(`r=${reason}`))) kept.push(tokenOf(`r=${reason}`));
  return kept.join(' ');
}
