import type { Database } from 'better-sqlite3';
import { Fault } from '../../platform/fault.js';
import type { CallTerm } from '../callTerms.js';
import { statement } from '../statements.js';
import type { Stretch } from '../toolCallLog/postings.js';
import { tokenOf } from './filterTokens.js';
import { searchWords, type SearchWord } from './words.js';

/** Fewest characters before a `*`: shorter beginnings fit too many words to be found quickly. */
export const shortestPrefix = 3;
/** Most characters of a search text. */
export const longestSearch = 1_000;
/** Most words a search text may hold. */
export const mostWords = 32;

/** What the index is asked: a match of FTS5, and stretches that must occur just so. */
export interface TextQuery {
  readonly match: string;
  readonly sequences: readonly string[];
}

/**
 * Turns what somebody typed, and filter values, into one question to the index. Nothing that was typed is syntax.
 * @throws Fault `invalid_text` when it holds no word, too many, or too short a prefix
 */
export function textQuery(text: string, terms: readonly CallTerm[]): TextQuery {
  if (text.length > longestSearch) throw invalid(`it is ${text.length} characters long; at most ${longestSearch} are allowed`);
  const { words, sequences } = searchWords(text);
  if (words.length === 0) throw invalid('it holds no word; give letters or digits, e.g. `timeout` or `err*`');
  if (words.length > mostWords) throw invalid(`it holds ${words.length} words; at most ${mostWords} are allowed`);
  const short = words.find(({ word, prefix }) => prefix && /^[\0-\u2e7f]*$/.test(word) && word.length < shortestPrefix);
  if (short !== undefined) throw invalid(`a prefix needs at least ${shortestPrefix} characters before the *, not "${short.word}*"`);
  const quoted = [...new Set(words.map(quote)), ...terms.map((term) => `"${tokenOf(term)}"`)];
  return { match: quoted.join(' AND '), sequences };
}

/**
 * The first `limit` calls of a stretch that match, in the order asked for.
 * @returns their place in the call log
 */
export function matchCalls(db: Database, { match, sequences }: TextQuery, stretch: Stretch, limit: number): number[] {
  const direction = stretch.order === 'newest' ? 'DESC' : 'ASC';
  const found = ['ended', 'running'].flatMap((table) => {
    const exact = sequences.map(() => 'AND instr(text, ?) > 0').join(' ');
    const sql = `SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ? ${exact} ORDER BY rowid ${direction} LIMIT ?`;
    return statement<unknown[], number>(db, sql).pluck().all(match, stretch.first, stretch.last, ...sequences, limit);
  });
  return found.sort((a, b) => (stretch.order === 'newest' ? b - a : a - b)).slice(0, limit);
}

function quote({ word, prefix }: SearchWord): string {
  return `"${word}"${prefix ? '*' : ''}`;
}

function invalid(problem: string): Fault {
  return new Fault('usage', 'invalid_text', `The search text cannot be used: ${problem}.`);
}
