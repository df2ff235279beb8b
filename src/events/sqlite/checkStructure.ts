import type Database from 'better-sqlite3';
import type { Damage } from './checkRows.js';
import { saidBy } from './failureOf.js';

/** SQLite's own check of pages and records, and that every index holds as many entries as there are events. */
export function checkStructure(db: Database.Database): Damage | null {
  try {
    const said = String(db.pragma('quick_check(1)', { simple: true }));
    return said === 'ok' ? indexDamage(db) : structure(said);
  } catch (error) {
    return structure(saidBy(error));
  }
}

function indexDamage(db: Database.Database): Damage | null {
  const indexes = db.prepare<[], string>("SELECT name FROM pragma_index_list('events') ORDER BY name").pluck().all();
  // In one statement, because a writer may be adding events.
  const counts = ['NOT INDEXED', ...indexes.map((name) => `INDEXED BY ${name}`)].map((how) => `(SELECT count(*) FROM events ${how})`);
  const [events = 0, ...entries] = db.prepare<[], number[]>(`SELECT ${counts.join(', ')}`).raw().get() ?? [];
  const wrong = entries.findIndex((count) => count !== events);
  return wrong < 0 ? null : structure(`index ${indexes[wrong] ?? ''} holds ${entries[wrong] ?? 0} entries for ${events} events`);
}

function structure(detail: string): Damage {
  return { position: null, kind: 'structure', detail };
}
