import type Database from 'better-sqlite3';

/** Tells whether a file has changed since it was last asked, by this connection or any other. Costs a few microseconds. */
export function changeWatch(db: Database.Database): () => boolean {
  const byOthers = db.prepare<[], number>('PRAGMA data_version').pluck();
  const byUs = db.prepare<[], number>('SELECT total_changes()').pluck();
  let others: number | undefined;
  let ours: number | undefined;
  return () => {
    const before = { ours, others };
    ours = byUs.get();
    others = byOthers.get();
    return ours !== before.ours || others !== before.others;
  };
}
