import type Database from 'better-sqlite3';

/**
 * Tells whether a file has changed since it was last asked. Changes of this connection count at once. Whether others
 * changed something costs system calls, so that is looked up once in a turn of the event loop: a page of thousand events
 * pays for one look.
 */
export function changeWatch(db: Database.Database): () => boolean {
  const byOthers = db.prepare<[], number>('PRAGMA data_version').pluck();
  const byUs = db.prepare<[], number>('SELECT total_changes()').pluck();
  let others: number | undefined;
  let ours: number | undefined;
  let looked = false;
  return () => {
    const before = { ours, others };
    ours = byUs.get();
    if (!looked) {
      looked = true;
      setImmediate(() => {
        looked = false;
      }).unref();
      others = byOthers.get();
    }
    return ours !== before.ours || others !== before.others;
  };
}
