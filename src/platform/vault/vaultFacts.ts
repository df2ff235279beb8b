import type Database from 'better-sqlite3';

/**
 * What a vault remembers of itself.
 * - `backed_up_at`: when the keys were last backed up, milliseconds since the epoch
 * - `unswept`: something was destroyed and may still lie in free pages or the write-ahead log
 * - `erased_up_to`: how far the erasures of the ledger are carried out here; see erasedUpTo.ts
 * - `lost_up_to`: up to which position of the ledger people without a key were marked as lost
 */
export type VaultFact = 'backed_up_at' | 'unswept' | 'erased_up_to' | 'lost_up_to';

export function readFact(db: Database.Database, name: VaultFact): string | null {
  return db.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck().get(name) ?? null;
}

/** When the keys were last backed up, milliseconds since the epoch; null: never. */
export function backedUpAt(db: Database.Database): number | null {
  const at = readFact(db, 'backed_up_at');
  return at === null ? null : Number(at);
}

/** @param value null forgets it */
export function writeFact(db: Database.Database, name: VaultFact, value: string | null): void {
  if (value === null) db.prepare('DELETE FROM facts WHERE name = ?').run(name);
  else db.prepare('INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(name, value);
}
