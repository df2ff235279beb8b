import type Database from 'better-sqlite3';
import { readFact, writeFact } from './vaultFacts.js';

/** Notes how far erasures are carried out, and how many people are destroyed by that. */
export function setErasedUpTo(db: Database.Database, mark: string): void {
  writeFact(db, 'erased_up_to', JSON.stringify([countDestroyed(db), mark]));
}

/** @returns the mark; null when there is none, or fewer people are destroyed than were when it was set */
export function erasedUpTo(db: Database.Database): string | null {
  const noted = readFact(db, 'erased_up_to');
  if (noted === null) return null;
  const [destroyed, mark] = JSON.parse(noted) as [number, string];
  return countDestroyed(db) >= destroyed ? mark : null;
}

function countDestroyed(db: Database.Database): number {
  return db.prepare<[], number>('SELECT count(*) FROM subjects WHERE wrapped_key IS NULL').pluck().get() ?? 0;
}
