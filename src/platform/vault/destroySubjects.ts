import type Database from 'better-sqlite3';
import { openDatabase } from '../sqlite/openDatabase.js';
import { sweepDatabase } from '../sqlite/sweep.js';
import { readFact, writeFact } from './vaultFacts.js';
import { vaultFormat } from './vaultFormat.js';

/**
 * Destroys the keys of people and who they were, all or none. A subject the vault does not know is entered as
 * destroyed, so that an old backup knows of it too. What is destroyed already is left alone.
 */
export function destroySubjects(db: Database.Database, subjects: readonly string[], now: number): void {
  const gone = db.prepare<[string], number>('SELECT 1 FROM subjects WHERE subject = ? AND wrapped_key IS NULL').pluck();
  const destroy = db.prepare(`
    INSERT INTO subjects (subject, wrapped_key, created_at, destroyed_at) VALUES (?, NULL, ?, ?)
    ON CONFLICT DO UPDATE SET wrapped_key = NULL, destroyed_at = excluded.destroyed_at`);
  const forget = db.prepare('DELETE FROM identities WHERE subject = ?');
  db.transaction(() => {
    const left = subjects.filter((subject) => gone.get(subject) === undefined);
    for (const subject of left) {
      destroy.run(subject, now, now);
      forget.run(subject);
    }
    if (left.length > 0) writeFact(db, 'unswept', 'yes');
  }).immediate();
}

/**
 * Whose key was here once and was destroyed, in a vault that nobody has open. Those whose key was never here, because its
 * loss was accepted, are not among them: a backup may still have it.
 * @returns nobody when there is no vault that can be read
 */
export function destroyedIn(file: string): readonly string[] {
  try {
    const db = openDatabase(file, 'reader', vaultFormat);
    try {
      return db.prepare<[], string>('SELECT subject FROM subjects WHERE wrapped_key IS NULL AND created_at < destroyed_at').pluck().all();
    } finally {
      db.close();
    }
  } catch {
    // It is being replaced, perhaps because it cannot be read.
    return [];
  }
}

/**
 * Takes out of the file what `destroySubjects`, now or in a process that died, has left in it.
 * @returns false when a reader is in the way; the next call tries again
 */
export function sweepDestroyed(db: Database.Database): boolean {
  if (readFact(db, 'unswept') === null) return true;
  if (!sweepDatabase(db)) return false;
  writeFact(db, 'unswept', null);
  return true;
}
