import type Database from 'better-sqlite3';

/**
 * Takes out of a database file what was deleted from it. Deleted rows stay in free pages, in gaps of pages that were
 * split, and in the write-ahead log; so the file is written anew, and the log is folded in and cut to nothing.
 * Needs room for the database twice over. Waits for readers as long as the connection's busy timeout says.
 * @returns false when a reader is in the way and old pages may still lie in the files
 * @throws SQLite's error when the disk is full or broken
 */
export function sweepDatabase(db: Database.Database): boolean {
  db.exec('VACUUM');
  return cutLog(db);
}

/** Folds the write-ahead log in and cuts it to nothing. @returns false when a reader is in the way */
export function cutLog(db: Database.Database): boolean {
  const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  return result?.busy === 0;
}
