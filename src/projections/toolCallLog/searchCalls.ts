import type { Database } from 'better-sqlite3';
import { Fault } from '../../platform/fault.js';
import { matchCalls, textQuery } from '../callText/matchCalls.js';
import { wantedTerms } from '../callTerms.js';
import { storedCheckpoint } from '../readModel/checkpoint.js';
import { decodeCursor, encodeCursor } from '../querying/pageCursor.js';
import { statement } from '../readModel/statements.js';
import { callsWithAll, type Stretch } from './postings.js';
import { readCall } from './projection.js';
import type { CallFilter, CallPage, CallRow } from './queries.js';

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
    const cursor = seqs.length > filter.limit && last !== undefined ? encodeCursor({ seq: last, order: filter.order }) : null;
    return { calls, cursor };
  })();
}

function matchingPlaces(log: Database, text: Database | null, filter: CallFilter, limit: number): number[] {
  const terms = wantedTerms(filter);
  const query = filter.text === undefined ? null : textQuery(filter.text, terms);
  if (query !== null && text === null) {
    throw new Fault('failed', 'text_search_off', 'Searching by text is switched off by configuration. Search without text, or switch the view callText on.');
  }
  const stretch = stretchOf(log, text === null || query === null ? [log] : [log, text], filter);
  if (stretch.first > stretch.last) return [];
  if (query !== null && text !== null) {
    // A mix that no call has is known sooner from the bitmaps than from the words.
    const hopeless = terms.length > 1 && callsWithAll(log, terms, stretch, 1).length === 0;
    return hopeless ? [] : matchCalls(text, query, stretch, limit);
  }
  if (terms.length > 0) return callsWithAll(log, terms, stretch, limit);
  const order = stretch.order === 'newest' ? 'DESC' : 'ASC';
  return statement<[number, number, number], number>(log, `SELECT seq FROM calls WHERE seq BETWEEN ? AND ? ORDER BY seq ${order} LIMIT ?`)
    .pluck()
    .all(stretch.first, stretch.last, limit);
}

/** The part of the log to look at: by times, by cursor, and no further than every view involved has come. */
function stretchOf(log: Database, views: readonly Database[], filter: CallFilter): Stretch {
  const { order } = filter;
  let first = filter.since === undefined ? 1 : placeAt(log, filter.since);
  let last = Math.min(...views.map((view) => storedCheckpoint(view)?.ordinal ?? 0));
  if (filter.until !== undefined) last = Math.min(last, placeAt(log, filter.until) - 1);
  if (filter.cursor !== undefined) {
    const { seq } = decodeCursor(filter.cursor, order);
    if (order === 'newest') last = Math.min(last, seq - 1);
    else first = Math.max(first, seq + 1);
  }
  return { first, last, order };
}

/** The place from which on calls were recorded at `time` or later; by halving, because recordedAt never falls. */
function placeAt(log: Database, time: number): number {
  const next = statement<[number], { seq: number; recorded_at: number }>(log, 'SELECT seq, recorded_at FROM calls WHERE seq >= ? ORDER BY seq LIMIT 1');
  let low = 1;
  let high = (statement<[], number>(log, 'SELECT max(seq) FROM calls').pluck().get() ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const call = next.get(middle);
    if (call === undefined || call.recorded_at >= time) high = middle;
    else low = call.seq + 1;
  }
  return high;
}

function callAt(log: Database, place: number): CallRow[] {
  const call = readCall(log, place);
  return call === undefined ? [] : [call];
}
