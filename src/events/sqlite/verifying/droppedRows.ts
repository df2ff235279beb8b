import type Database from 'better-sqlite3';
import type { LedgerOperationsEvent } from '../../catalogue/ledgerOperations.js';
import type { EventRow } from '../reading/row.js';

type Drop = Extract<LedgerOperationsEvent, { type: 'EventsDropped' }>['data'];

/** Judges stubs: whether an `EventsDropped` on record covers the stream that the stub belongs to. */
export function droppedRows(db: Database.Database): (stub: EventRow) => boolean {
  const drops = db
    .prepare<[], string>("SELECT data FROM events WHERE stream = 'ledger-operations' AND type = 'EventsDropped' ORDER BY revision")
    .pluck()
    .all()
    .map((data) => {
      const { kept, ...drop } = JSON.parse(data) as Drop;
      return { ...drop, kept: new Set(kept) };
    });
  const firstOf = db.prepare<[string], number>('SELECT position FROM events WHERE stream = ? AND revision = 0').pluck();
  return ([position, , stream, revision]) => {
    const first = revision === 0 ? position : firstOf.get(stream);
    const category = stream.slice(0, stream.indexOf('-'));
    return first !== undefined && drops.some((drop) => drop.category === category && first >= drop.from && first <= drop.to && !drop.kept.has(first));
  };
}
