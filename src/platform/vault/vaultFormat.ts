import type Database from 'better-sqlite3';
import type { DatabaseFormat } from '../sqlite/openDatabase.js';

/** The format of `keys.db`. Everything but times, subject ids and names of secrets is sealed or keyed. */
export const vaultFormat: DatabaseFormat = {
  applicationId: 0x746c_6b79,
  migrations: [
    `
    -- The root key seals everything else; it is sealed with the master key, so that a new master key is one row.
    CREATE TABLE root (id INTEGER PRIMARY KEY CHECK (id = 1), key_check BLOB NOT NULL, sealed_key BLOB NOT NULL) STRICT;
    CREATE TABLE subjects (
      subject TEXT PRIMARY KEY,
      wrapped_key BLOB,
      created_at INTEGER NOT NULL,
      destroyed_at INTEGER,
      CHECK ((wrapped_key IS NULL) = (destroyed_at IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE identities (
      lookup BLOB PRIMARY KEY,
      subject TEXT NOT NULL REFERENCES subjects (subject),
      sealed_identity BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE secrets (owner TEXT NOT NULL, name TEXT NOT NULL, sealed_value BLOB NOT NULL, PRIMARY KEY (owner, name))
      STRICT, WITHOUT ROWID;
    `,
    // What the vault remembers of itself; see vaultFacts.ts.
    'CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;',
    `
    -- Another one after every write, so that whoever read a secret can tell whether it is still that one.
    ALTER TABLE secrets ADD COLUMN version TEXT NOT NULL DEFAULT 'first';
    -- What one process does alone for a while. ends_at: milliseconds since the epoch.
    CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, ends_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    `,
  ],
};

/** How many people have a key. */
export function countPeople(db: Database.Database): number {
  return db.prepare<[], number>('SELECT count(*) FROM subjects WHERE wrapped_key IS NOT NULL').pluck().get() ?? 0;
}
