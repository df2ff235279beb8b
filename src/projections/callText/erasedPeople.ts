import type { Database } from 'better-sqlite3';
import { statement } from '../readModel/statements.js';
import { ownerToken, withoutSections } from './sections.js';
import { noteUnswept } from './sweep.js';

/** Who was erased so far. */
export const erasedTable = 'CREATE TABLE erased (subject TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;';

/** Everyone who was erased before this moment of the fold. */
export function erasedPeople(db: Database): Set<string> {
  return new Set(statement<[], string>(db, 'SELECT subject FROM erased').pluck().all());
}

/** Takes a person's words out of all rows of the indexes `tables`, and remembers them as erased. */
export function erasePerson(db: Database, tables: readonly string[], subject: string): void {
  for (const table of tables) {
    const rows = statement<[string], number>(db, `SELECT rowid FROM ${table} WHERE ${table} MATCH ?`).pluck();
    const textAt = statement<[number], string>(db, `SELECT text FROM ${table} WHERE rowid = ?`).pluck();
    const update = statement<[string, number], never>(db, `UPDATE ${table} SET text = ? WHERE rowid = ?`);
    // All first: an index must not change under a cursor that reads it.
    for (const rowid of rows.all(`"${ownerToken(subject)}"`)) {
      update.run(withoutSections(textAt.get(rowid) ?? '', subject), rowid);
      noteUnswept(db);
    }
  }
  statement(db, 'INSERT OR IGNORE INTO erased VALUES (?)').run(subject);
}
