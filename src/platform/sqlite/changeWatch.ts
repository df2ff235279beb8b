import type Database from 'better-sqlite3';

/**
 * Tells whether this connection has changed anything since it was last asked: enough for the only writer of a file, and
 * done without a look at the file.
 */
export function ownChanges(db: Database.Database): () => boolean {
  return differsFromBefore(db.prepare<[], number>('SELECT total_changes()').pluck());
}

/** Tells whether other connections have changed the file since it was last asked; for connections that only read. */
export function foreignChanges(db: Database.Database): () => boolean {
  return differsFromBefore(db.prepare<[], number>('PRAGMA data_version').pluck());
}

function differsFromBefore(count: { get(): number | undefined }): () => boolean {
  let now: number | undefined;
  return () => {
    const before = now;
    now = count.get();
    return now !== before;
  };
}
