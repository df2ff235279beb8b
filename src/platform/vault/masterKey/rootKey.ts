import { timingSafeEqual } from 'node:crypto';
import type Database from 'better-sqlite3';
import { Fault } from '../../fault.js';
import { keyBytes } from './masterKey.js';
import { keyFor, newNonce, seal, unseal } from '../seal.js';

const place = ['root'];

/** The root key, and the master key that it is sealed with. */
export interface OpenedRoot {
  readonly root: Buffer;
  readonly masterKey: Buffer;
}

/**
 * The root key of an open vault.
 * @param masterKeys those that may be the right one
 * @returns 32 bytes, or null when the vault is new and has none
 * @throws Fault `wrong_master_key`; `vault_damaged` when the master key is right and the root key does not open
 */
export function findRootKey(db: Database.Database, masterKeys: readonly Buffer[]): OpenedRoot | null {
  const row = db.prepare<[], { key_check: Buffer; sealed_key: Buffer }>('SELECT key_check, sealed_key FROM root').get();
  if (row === undefined) return null;
  const masterKey = masterKeys.find((key) => isSame(keyFor(key, 'check'), row.key_check));
  if (masterKey === undefined) {
    throw new Fault(
      'failed',
      'wrong_master_key',
      `${db.name} was made with another master key than the one given. Nothing was changed; give the key that belongs to it.`,
      { file: db.name },
    );
  }
  const root = unseal(keyFor(masterKey, 'root'), place, row.sealed_key);
  if (root === null) throw vaultDamaged(db.name, 'the root key does not open although the master key is right');
  return { root, masterKey };
}

/** The root key, made when the vault is new. Throws like `findRootKey`. */
export function findOrMakeRootKey(db: Database.Database, masterKeys: readonly Buffer[], randomBytes: (size: number) => Buffer): OpenedRoot {
  return db
    .transaction(() => {
      const found = findRootKey(db, masterKeys);
      if (found !== null) return found;
      if (db.prepare('SELECT 1 FROM subjects').get() !== undefined) throw vaultDamaged(db.name, 'it has subjects and no root key');
      const [masterKey] = masterKeys;
      if (masterKey === undefined) throw new RangeError('a new vault needs a master key');
      const root = randomBytes(keyBytes);
      putRootKey(db, root, masterKey, randomBytes);
      return { root, masterKey };
    })
    .immediate();
}

/** Seals the root key with a master key, in place of what was there. */
export function putRootKey(db: Database.Database, root: Buffer, masterKey: Buffer, randomBytes: (size: number) => Buffer): void {
  const sealed = seal(keyFor(masterKey, 'root'), place, root, newNonce(randomBytes));
  db.prepare('INSERT INTO root (id, key_check, sealed_key) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET key_check = excluded.key_check, sealed_key = excluded.sealed_key').run(
    keyFor(masterKey, 'check'),
    sealed,
  );
}

/** What is stored cannot be what was written. */
export function vaultDamaged(file: string, problem: string): Fault {
  return new Fault('damaged', 'vault_damaged', `${file} is damaged: ${problem}. Stop using it, keep a copy, and restore a backup of the keys (\`toolledger keys restore\`).`, { file, problem });
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
