import type { Database } from 'better-sqlite3';
import { Fault } from '../../platform/fault.js';
import type { CallTerm } from '../callTerms.js';
import { statement } from '../readModel/statements.js';
import type { Stretch } from '../toolCallLog/stretch.js';
import { tokenOf } from './filterTokens.js';
import { searchWords, type SearchWord } from './words.js';

/** Fewest characters before a `*`: shorter beginnings fit too many words to be found quickly. */
export const shortestPrefix = 3;
/** Most characters of a search text. */
export const longestSearch = 1_000;
/** Most words a search text may hold. */
export const mostWords = 32;

/** Most words a prefix is replaced by. */
const mostExpanded = 128;

/** What the index is asked: words and filter tokens that must all occur, and stretches that must occur just so. */
export interface TextQuery {
  readonly words: readonly SearchWord[];
  readonly tokens: readonly string[];
  readonly sequences: readonly string[];
}

/**
 * Turns what somebody typed, and filter values, into one question to the index.
 * @throws Fault `invalid_text` when it holds no word, too many, or too short a prefix
 */
export function textQuery(text: string, terms: readonly CallTerm[]): TextQuery {
  if (text.length > longestSearch) throw invalid(`it is ${text.length} characters long; at most ${longestSearch} are allowed`);
  const { words, sequences } = searchWords(text);
  if (words.length === 0) throw invalid('it holds no word; give letters or digits, e.g. `timeout` or `err*`');
  if (words.length > mostWords) throw invalid(`it holds ${words.length} words; at most ${mostWords} are allowed`);
  const short = words.find(({ word, prefix }) => prefix && /^[\0-\u2e7f]*$/.test(word) && word.length < shortestPrefix);
  if (short !== undefined) throw invalid(`a prefix needs at least ${shortestPrefix} characters before the *, not "${short.word}*"`);
  return { words, tokens: terms.map(tokenOf), sequences };
}

/**
 * The first `limit` calls of a stretch that match, in the order asked for.
 * @returns their place in the call log
 */
export function matchCalls(db: Database, query: TextQuery, stretch: Stretch, order: 'newest' | 'oldest', limit: number): number[] {
  const direction = order === 'newest' ? 'DESC' : 'ASC';
  const found = tables.flatMap((table) => {
    const asked = askedOf(db, table, query, stretch);
    return asked === null ? [] : statement<unknown[], number>(db, `SELECT rowid ${asked.where} ORDER BY rowid ${direction} LIMIT ?`).pluck().all(...asked.values, limit);
  });
  return found.sort((a, b) => (order === 'newest' ? b - a : a - b)).slice(0, limit);
}

/** How many calls of a stretch match. */
export function countMatches(db: Database, query: TextQuery, stretch: Stretch): number {
  return tables.reduce((sum, table) => {
    const asked = askedOf(db, table, query, stretch);
    return asked === null ? sum : sum + (statement<unknown[], number>(db, `SELECT count(*) ${asked.where}`).pluck().get(...asked.values) ?? 0);
  }, 0);
}

const tables = ['ended', 'running'] as const;

function askedOf(db: Database, table: string, query: TextQuery, stretch: Stretch): { readonly where: string; readonly values: readonly unknown[] } | null {
  const match = matchOf(db, table, query);
  if (match === null) return null;
  const exact = query.sequences.map(() => 'AND instr(text, ?) > 0').join(' ');
  return { where: `FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ? ${exact}`, values: [match, stretch.first, stretch.last, ...query.sequences] };
}

/** The match in the index's own syntax, of which nothing that was typed is part; null when no call can match. */
function matchOf(db: Database, table: string, { words, tokens }: TextQuery): string | null {
  const parts = words.map(({ word, prefix }) => {
    if (!prefix) return quote(word);
    const known = wordsBeginning(db, table, word);
    // A prefix costs the index all places of all its words at once; the words themselves only those that are needed.
    return known.length > mostExpanded ? `${quote(word)}*` : known.length === 0 ? null : `(${known.map(quote).join(' OR ')})`;
  });
  return parts.includes(null) ? null : [...new Set(parts), ...tokens.map(quote)].join(' AND ');
}

/** The words of an index that begin so, at most one more than are used. */
function wordsBeginning(db: Database, table: string, beginning: string): string[] {
  const next = statement<[string, string], string>(db, `SELECT term FROM ${table}_words WHERE term >= ? AND term <= ? LIMIT 1`).pluck();
  const words: string[] = [];
  for (let from = beginning; words.length <= mostExpanded; ) {
    const word = next.get(from, `${beginning}\u{10ffff}`);
    if (word === undefined) break;
    words.push(word);
    from = `${word}\0`;
  }
  return words;
}

function quote(word: string): string {
  return `"${word}"`;
}

function invalid(problem: string): Fault {
  return new Fault('usage', 'invalid_text', `The search text cannot be used: ${problem}.`);
}
