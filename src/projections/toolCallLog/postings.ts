import type { Database } from 'better-sqlite3';
import { bitmapSpan, countBits, decodeBitmap, emptyBitmap, encodeBitmap, intersect, numbersIn, setBit, type Bitmap } from './bitmap.js';
import { statement } from '../readModel/statements.js';
import type { Stretch } from './stretch.js';

/**
 * Which calls have which term, as bitmaps over stretches of the log. Any mix of terms costs a walk over bitmaps,
 * also where each term is common and the mix is rare or empty, which no set of column indexes gives.
 */
export const postingsTable = `
  CREATE TABLE postings (term TEXT NOT NULL, chunk INTEGER NOT NULL, bits BLOB NOT NULL, PRIMARY KEY (term, chunk)) STRICT, WITHOUT ROWID;`;

/** Collects changes of postings and writes each bitmap once. */
export class PostingsWriter {
  readonly #changes = new Map<string, Map<number, Map<number, boolean>>>();

  constructor(private readonly db: Database) {}

  /** Notes that the call `seq` has, or no longer has, the term. */
  set(term: string, seq: number, on: boolean): void {
    const chunk = Math.floor(seq / bitmapSpan);
    let chunks = this.#changes.get(term);
    if (chunks === undefined) this.#changes.set(term, (chunks = new Map<number, Map<number, boolean>>()));
    let bits = chunks.get(chunk);
    if (bits === undefined) chunks.set(chunk, (bits = new Map<number, boolean>()));
    bits.set(seq % bitmapSpan, on);
  }

  flush(): void {
    const put = statement<[string, number, Buffer], never>(this.db, 'INSERT OR REPLACE INTO postings VALUES (?, ?, ?)');
    const drop = statement<[string, number], never>(this.db, 'DELETE FROM postings WHERE term = ? AND chunk = ?');
    for (const [term, chunks] of this.#changes) {
      for (const [chunk, bits] of chunks) {
        const bitmap = bitmapOf(this.db, term, chunk) ?? emptyBitmap();
        for (const [at, on] of bits) setBit(bitmap, at, on);
        const stored = encodeBitmap(bitmap);
        if (stored.length === 0) drop.run(term, chunk);
        else put.run(term, chunk, stored);
      }
    }
    this.#changes.clear();
  }
}

type Order = 'newest' | 'oldest';

/**
 * The first `limit` calls of a stretch that have all terms (at least one), in the order asked for.
 * @returns their `seq`
 */
export function callsWithAll(db: Database, terms: readonly string[], stretch: Stretch, order: Order, limit: number): number[] {
  const found: number[] = [];
  const step = order === 'newest' ? -1 : 1;
  const end = Math.floor((order === 'newest' ? stretch.first : stretch.last) / bitmapSpan);
  let chunk = Math.floor((order === 'newest' ? stretch.last : stretch.first) / bitmapSpan);
  while (found.length < limit && (end - chunk) * step >= 0) {
    const common = nextCommon(db, terms, chunk, order);
    if (common === null || (end - common) * step < 0) break;
    const numbers = numbersIn(intersection(db, terms, common)).map((at) => common * bitmapSpan + at);
    if (order === 'newest') numbers.reverse();
    found.push(...numbers.filter((seq) => seq >= stretch.first && seq <= stretch.last));
    chunk = common + step;
  }
  return found.slice(0, limit);
}

/** How many calls of a stretch have all terms (at least one). */
export function countWithAll(db: Database, terms: readonly string[], stretch: Stretch): number {
  let count = 0;
  const end = Math.floor(stretch.last / bitmapSpan);
  for (let chunk = Math.floor(stretch.first / bitmapSpan); chunk <= end; chunk += 1) {
    const common = nextCommon(db, terms, chunk, 'oldest');
    if (common === null || common > end) break;
    const bits = intersection(db, terms, common);
    const from = common * bitmapSpan;
    const whole = from >= stretch.first && from + bitmapSpan - 1 <= stretch.last;
    count += whole ? countBits(bits) : numbersIn(bits).filter((at) => from + at >= stretch.first && from + at <= stretch.last).length;
    chunk = common;
  }
  return count;
}

/** The next chunk, from `chunk` on, in which every term occurs. */
function nextCommon(db: Database, terms: readonly string[], chunk: number, order: Order): number | null {
  const seek = statement<[string, number], number>(
    db,
    order === 'newest'
      ? 'SELECT chunk FROM postings WHERE term = ? AND chunk <= ? ORDER BY chunk DESC LIMIT 1'
      : 'SELECT chunk FROM postings WHERE term = ? AND chunk >= ? ORDER BY chunk LIMIT 1',
  ).pluck();
  let candidate = chunk;
  for (let agreed = 0; agreed < terms.length; ) {
    for (const term of terms) {
      const next = seek.get(term, candidate);
      if (next === undefined) return null;
      agreed = next === candidate ? agreed + 1 : 1;
      candidate = next;
      if (agreed >= terms.length) break;
    }
  }
  return candidate;
}

function intersection(db: Database, terms: readonly string[], chunk: number): Bitmap {
  let common: Bitmap | null = null;
  for (const term of terms) {
    const bitmap = bitmapOf(db, term, chunk) ?? emptyBitmap();
    if (common === null) common = bitmap;
    else intersect(common, bitmap);
  }
  return common ?? emptyBitmap();
}

function bitmapOf(db: Database, term: string, chunk: number): Bitmap | null {
  const find = statement<[string, number], Buffer>(db, 'SELECT bits FROM postings WHERE term = ? AND chunk = ?').pluck();
  const stored = find.get(term, chunk);
  return stored === undefined ? null : decodeBitmap(stored);
}
