import type { Database } from 'better-sqlite3';
import { sweepDatabase } from '../../platform/sqlite/sweep.js';
import { statement } from '../readModel/statements.js';
import { ownerToken, withoutSections } from './sections.js';

/** Who was erased so far. `swept`: nothing of theirs is left in free pages and the write-ahead log. */
export const erasedTable = 'CREATE TABLE erased (subject TEXT PRIMARY KEY, swept INTEGER NOT NULL) STRICT, WITHOUT ROWID;';

/** Everybody who was erased before this moment of the fold. */
export function erasedPeople(db: Database): Set<string> {
  return new Set(statement<[], string>(db, 'SELECT subject FROM erased').pluck().all());
}

/** Takes a person's words out of all rows of the indexes `tables`, and remembers them as erased. */
export function erasePerson(db: Database, tables: readonly string[], subject: string): void {
  let changed = 0;
  for (const table of tables) {
    const rows = statement<[string], number>(db, `SELECT rowid FROM ${table} WHERE ${table} MATCH ?`).pluck();
    const textAt = statement<[number], string>(db, `SELECT text FROM ${table} WHERE rowid = ?`).pluck();
    const update = statement<[string, number], never>(db, `UPDATE ${table} SET text = ? WHERE rowid = ?`);
    // All first: an index must not change under a cursor that reads it.
    for (const rowid of rows.all(`"${ownerToken(subject)}"`)) {
      update.run(withoutSections(textAt.get(rowid) ?? '', subject), rowid);
      changed += 1;
    }
  }
  statement(db, 'INSERT OR IGNORE INTO erased VALUES (?, ?)').run(subject, changed === 0 ? 1 : 0);
}

/**
 * Takes what erased people's rows have left out of the file: an index marks words as deleted and drops them only when it
 * is written anew, and so do the pages below it.
 * @returns false when a reader is in the way
 */
export function sweepErased(db: Database, tables: readonly string[]): boolean {
  if (statement<[], number>(db, 'SELECT 1 FROM erased WHERE swept = 0').pluck().get() === undefined) return true;
  for (const table of tables) db.prepare(`INSERT INTO ${table} (${table}) VALUES ('optimize')`).run();
  if (!sweepDatabase(db)) return false;
  statement(db, 'UPDATE erased SET swept = 1').run();
  return true;
}
