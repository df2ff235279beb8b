import type Database from 'better-sqlite3';
import type { Damage } from './damage.js';
import { saidBy } from '../failureOf.js';

/** SQLite's own check of pages, records and the number of entries in every index. */
export function checkStructure(db: Database.Database): Damage | null {
  try {
    const said = String(db.pragma('quick_check(1)', { simple: true }));
    return said === 'ok' ? null : structure(said);
  } catch (error) {
    return structure(saidBy(error));
  }
}

function structure(detail: string): Damage {
  return { position: null, kind: 'structure', detail };
}
