import type Database from 'better-sqlite3';
import { StreamHeads } from '../writing/streamHeads.js';

/**
 * Judges events in the order of their positions, none left out: whether each is the first of its stream or comes right
 * after the one before in its stream. Asking the database each time would cost half as much as the rest of a
 * verification; it is asked only about streams that were not met lately.
 * @param remembered how many streams are kept in mind
 */
export function streamOrder(db: Database.Database, remembered: number): (stream: string, revision: number, position: number) => boolean {
  const heads = new StreamHeads(remembered);
  const before = db
    .prepare<[stream: string, revision: number, position: number], 1>('SELECT 1 FROM events WHERE stream = ? AND revision = ? AND position < ?')
    .pluck();
  return (stream, revision, position) => {
    const head = revision === 0 ? -1 : heads.get(stream);
    heads.set(stream, revision);
    return head === undefined ? before.get(stream, revision - 1, position) === 1 : head === revision - 1;
  };
}
