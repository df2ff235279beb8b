import type { Database } from 'better-sqlite3';
import { sweepDatabase } from '../../platform/sqlite/sweep.js';
import { statement } from '../readModel/statements.js';

/** Holds a row while words that were taken out may still lie in free pages, in the indexes' own, or in the write-ahead log. */
export const unsweptTable = 'CREATE TABLE unswept (id INTEGER PRIMARY KEY CHECK (id = 1)) STRICT;';

/** Words were taken out. */
export function noteUnswept(db: Database): void {
  statement(db, 'INSERT OR IGNORE INTO unswept VALUES (1)').run();
}

/**
 * Takes what erased and dropped rows have left out of the file: an index marks words as deleted and drops them only when
 * it is written anew, and so do the pages below it.
 * @returns false when a reader is in the way
 */
export function sweep(db: Database, tables: readonly string[]): boolean {
  if (statement<[], number>(db, 'SELECT 1 FROM unswept').pluck().get() === undefined) return true;
  for (const table of tables) db.prepare(`INSERT INTO ${table} (${table}) VALUES ('optimize')`).run();
  if (!sweepDatabase(db)) return false;
  statement(db, 'DELETE FROM unswept').run();
  return true;
}
