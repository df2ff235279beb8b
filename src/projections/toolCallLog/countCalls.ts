import type { Database } from 'better-sqlite3';
import { countMatches } from '../callText/matchCalls.js';
import { askedCalls } from './askedCalls.js';
import { countWithAll } from './postings.js';
import { callOutcomes, type CallConditions } from './queries.js';
import { stretchOf } from './stretch.js';

/**
 * How many calls match, exactly.
 * @param log the read model `toolCallLog`
 * @param text the read model `callText`, or null when it is switched off
 * @throws Fault `invalid_text`, `text_search_off`
 */
export function countCalls(log: Database, text: Database | null, filter: CallConditions): number {
  return log.transaction(() => {
    const { terms, words } = askedCalls(text, filter);
    const stretch = stretchOf(log, words === null ? [log] : [log, words.index], filter);
    if (stretch.first > stretch.last) return 0;
    if (words !== null) return countMatches(words.index, words.query, stretch);
    if (terms.length > 0) return countWithAll(log, terms, stretch);
    // Every call has one outcome, and bitmaps are counted sooner than rows.
    return callOutcomes.reduce((sum, outcome) => sum + countWithAll(log, [`o=${outcome}`], stretch), 0);
  })();
}
