import { openDatabase } from '../../../platform/sqlite/openDatabase.js';
import { ledgerFormat } from '../schema.js';

/** Somebody whose values lie sealed in a ledger. */
export interface BoxOwner {
  readonly subject: string;
  /** How many events hold a box of theirs. */
  readonly events: number;
}

/** Everyone whose values lie sealed in a closed ledger file. Reads all of it in the calling thread. */
export function boxOwners(file: string): readonly BoxOwner[] {
  const db = openDatabase(file, 'reader', ledgerFormat);
  try {
    return db
      .prepare<[], BoxOwner>(
        `SELECT json_extract(box.value, '$[0]') AS subject, count(*) AS events
         FROM events, json_each(events.boxes) AS box WHERE events.boxes <> '' GROUP BY 1 ORDER BY 1`,
      )
      .all();
  } finally {
    db.close();
  }
}
