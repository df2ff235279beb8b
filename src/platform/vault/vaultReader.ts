import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { foreignChanges } from '../sqlite/changeWatch.js';
import { openDatabase } from '../sqlite/openDatabase.js';
import { faultOf } from '../sqlite/sqliteFault.js';
import { identityIndex, type Identity } from './identityIndex.js';
import { keyRing } from './keyRing.js';
import { findMasterKeys, type MasterKeySource } from './masterKey/masterKey.js';
import { findRootKey } from './masterKey/rootKey.js';
import { backedUpAt } from './vaultFacts.js';
import { readingVault } from './vaultFault.js';
import { vaultFormat } from './vaultFormat.js';

/** Reads who subjects are, and their keys, beside the process that owns the vault. */
export interface VaultReader {
  /**
   * @returns 32 bytes (shared: do not change them), or null when the subject is unknown or was erased
   * @throws Fault `vault_damaged`
   */
  keyOf(subject: string): Uint8Array | null;
  /** Whether there is, or was, a key of this subject. */
  knows(subject: string): boolean;
  /** The subject of a person the product has met, or null. */
  findSubject(identity: Identity): string | null;
  /** Whether an owner has a secret of this name; it is not opened. */
  hasSecret(ownerId: string, name: string): boolean;
  /** When the keys were last backed up, milliseconds since the epoch; null: never. */
  backedUpAt(): number | null;
  close(): void;
}

/**
 * Opens the vault for reading, for worker threads: synchronous, and never writes. A vault that does not exist yet has
 * no keys, also later on: open it again.
 * @throws Fault `wrong_master_key`, `missing_master_key`, `bad_master_key`, and those of `openDatabase`
 */
export function openVaultReader(source: MasterKeySource): VaultReader {
  const masterKeys = findMasterKeys(source);
  if (masterKeys.length === 0 || statSync(source.file, { throwIfNoEntry: false }) === undefined) return emptyReader;
  const db = openDatabase(source.file, 'reader', vaultFormat);
  try {
    return readerOf(db, masterKeys);
  } catch (error) {
    db.close();
    throw faultOf(error, source.file);
  }
}

function readerOf(db: Database.Database, masterKeys: readonly Buffer[]): VaultReader {
  const opened = findRootKey(db, masterKeys);
  if (opened === null) {
    db.close();
    return emptyReader;
  }
  const find = keyRing(db, opened.root, foreignChanges(db));
  const identities = identityIndex(db, opened.root);
  const hasSecret = db.prepare<[string, string]>('SELECT 1 FROM secrets WHERE owner = ? AND name = ?');
  return {
    keyOf: (subject) => {
      const found = readingVault(db.name, () => find(subject));
      return found.kind === 'key' ? found.key : null;
    },
    knows: (subject) => readingVault(db.name, () => find(subject)).kind !== 'unknown',
    findSubject: (identity) => readingVault(db.name, () => identities.find(identity)),
    hasSecret: (ownerId, name) => readingVault(db.name, () => hasSecret.get(ownerId, name)) !== undefined,
    backedUpAt: () => backedUpAt(db),
    close: () => {
      db.close();
    },
  };
}

const emptyReader: VaultReader = { keyOf: () => null, knows: () => false, findSubject: () => null, hasSecret: () => false, backedUpAt: () => null, close: () => undefined };
