import type { Database } from 'better-sqlite3';
import { Fault } from '../../platform/fault.js';
import { matchCalls } from '../callText/matchCalls.js';
import { decodeCursor, encodeCursor } from '../querying/pageCursor.js';
import { statement } from '../readModel/statements.js';
import { askedCalls } from './askedCalls.js';
import { callsWithAll } from './postings.js';
import { readCall } from './projection.js';
import type { CallFilter, CallPage, CallRow } from './queries.js';
import { stretchOf, type Stretch } from './stretch.js';

/** Most calls a page may hold. */
export const largestPage = 1_000;

/**
 * Searches the call log. Pages stay right while calls arrive: a cursor is a place in the log, which only grows at its
 * end. A call whose outcome changes between two pages is judged by what it is when its page is read.
 * @param log the read model `toolCallLog`
 * @param text the read model `callText`, or null when it is switched off
 * @throws Fault `invalid_limit`, `invalid_cursor`, `invalid_text`, `text_search_off`
 */
export function searchCalls(log: Database, text: Database | null, filter: CallFilter): CallPage {
  if (!Number.isInteger(filter.limit) || filter.limit < 1 || filter.limit > largestPage) {
    throw new Fault('usage', 'invalid_limit', `The limit is ${filter.limit}; a page holds 1 to ${largestPage} calls.`);
  }
  // One transaction, so that places and rows are of the same moment.
  return log.transaction(() => {
    const seqs = matchingPlaces(log, text, filter, filter.limit + 1);
    const calls = seqs.slice(0, filter.limit).flatMap((seq) => callAt(log, seq));
    const last = seqs[filter.limit - 1];
    const cursor = seqs.length > filter.limit && last !== undefined ? encodeCursor(last, filter) : null;
    return { calls, cursor };
  })();
}

function matchingPlaces(log: Database, text: Database | null, filter: CallFilter, limit: number): number[] {
  const { terms, words } = askedCalls(text, filter);
  const stretch = beyondCursor(stretchOf(log, words === null ? [log] : [log, words.index], filter), filter);
  if (stretch.first > stretch.last) return [];
  if (words !== null) {
    // A mix that no call has is known sooner from the bitmaps than from the words.
    const hopeless = terms.length > 1 && callsWithAll(log, terms, stretch, filter.order, 1).length === 0;
    return hopeless ? [] : matchCalls(words.index, words.query, stretch, filter.order, limit);
  }
  if (terms.length > 0) return callsWithAll(log, terms, stretch, filter.order, limit);
  const order = filter.order === 'newest' ? 'DESC' : 'ASC';
  return statement<[number, number, number], number>(log, `SELECT seq FROM calls WHERE seq BETWEEN ? AND ? ORDER BY seq ${order} LIMIT ?`)
    .pluck()
    .all(stretch.first, stretch.last, limit);
}

/** What of a stretch the pages before have left. */
function beyondCursor(stretch: Stretch, filter: CallFilter): Stretch {
  if (filter.cursor === undefined) return stretch;
  const seq = decodeCursor(filter.cursor, filter);
  return filter.order === 'newest' ? { ...stretch, last: Math.min(stretch.last, seq - 1) } : { ...stretch, first: Math.max(stretch.first, seq + 1) };
}

function callAt(log: Database, place: number): CallRow[] {
  const call = readCall(log, place);
  return call === undefined ? [] : [call];
}
