import type { Database } from 'better-sqlite3';
import { Fault } from '../../platform/fault.js';
import { textQuery, type TextQuery } from '../callText/matchCalls.js';
import { wantedTerms, type CallTerm } from '../callTerms.js';
import type { CallConditions } from './queries.js';

/** What a filter asks of the two indexes; times are not part of it. */
export interface AskedCalls {
  /** Of the bitmaps: terms a call must have, all of them. */
  readonly terms: readonly CallTerm[];
  /** Of the text index, terms included; null when no text is wanted. */
  readonly words: { readonly index: Database; readonly query: TextQuery } | null;
}

/**
 * @param text the read model `callText`, or null when it is switched off
 * @throws Fault `invalid_text`, `text_search_off`
 */
export function askedCalls(text: Database | null, filter: CallConditions): AskedCalls {
  const terms = wantedTerms(filter);
  if (filter.text === undefined) return { terms, words: null };
  const query = textQuery(filter.text, terms);
  if (text !== null) return { terms, words: { index: text, query } };
  throw new Fault('failed', 'text_search_off', 'Searching by text is switched off by configuration. Search without text, or switch the view callText on.');
}
