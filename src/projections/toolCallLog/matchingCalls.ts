import type { Database } from 'better-sqlite3';
import { matchCalls } from '../callText/matchCalls.js';
import { askedCalls } from './askedCalls.js';
import { bitmapSpan } from './bitmap.js';
import { callsWithAll } from './postings.js';
import type { CallConditions } from './queries.js';

/**
 * Which of some calls match a filter, its times left aside: for going through the ledger itself.
 * @param log the read model `toolCallLog`
 * @param text the read model `callText`, or null when it is switched off
 * @param places of the calls in the log, in any order; a place where no call begins matches nothing
 * @throws Fault `invalid_text`, `text_search_off`
 */
export function matchingCalls(
  log: Database,
  text: Database | null,
  filter: Omit<CallConditions, 'since' | 'until'>,
  places: readonly number[],
): readonly number[] {
  const { terms, words } = askedCalls(text, filter);
  return stretchesAround(places).flatMap(({ wanted, ...stretch }) => {
    const found =
      words === null ? callsWithAll(log, terms, stretch, 'oldest', bitmapSpan) : matchCalls(words.index, words.query, stretch, 'oldest', bitmapSpan);
    return found.filter((place) => wanted.has(place));
  });
}

/** Places that one bitmap covers, together. */
function stretchesAround(places: readonly number[]): readonly { first: number; last: number; readonly wanted: Set<number> }[] {
  const stretches = new Map<number, { first: number; last: number; readonly wanted: Set<number> }>();
  for (const place of places) {
    const chunk = Math.floor(place / bitmapSpan);
    const stretch = stretches.get(chunk);
    if (stretch === undefined) {
      stretches.set(chunk, { first: place, last: place, wanted: new Set([place]) });
    } else {
      stretch.first = Math.min(stretch.first, place);
      stretch.last = Math.max(stretch.last, place);
      stretch.wanted.add(place);
    }
  }
  return [...stretches.values()];
}
