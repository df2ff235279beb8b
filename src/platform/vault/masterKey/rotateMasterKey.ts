import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../fault.js';
import { syncPath } from '../../files/durableFile.js';
import { openDatabase } from '../../sqlite/openDatabase.js';
import { sweepDatabase } from '../../sqlite/sweep.js';
import { findMasterKeys, keyBytes, nextKeyFile, type MasterKeySource } from './masterKey.js';
import { findOrMakeRootKey, putRootKey } from './rootKey.js';
import { createSecretFile, readSecretFile } from '../secretFile.js';
import { writeFact } from '../vaultFacts.js';
import { vaultFormat } from '../vaultFormat.js';

/**
 * Seals the vault with another master key. When the key lies in a file, the new one is written beside it, then the vault
 * is sealed with it, then it takes the old one's place: after a crash between any two steps `settleRotation` finishes
 * what had taken hold. A key from the configuration is changed there by whoever keeps it, after this.
 * Only the owner of the data directory may call this, with the vault closed.
 * @param newKey 32 bytes; null makes one, for which there must be a key file
 * @returns false when a reader keeps pages that the old master key opens
 * @throws Fault `no_new_master_key`, and as `openVault` does; nothing was changed then
 */
export function rotateMasterKey(source: MasterKeySource, newKey: Buffer | null, randomBytes: (size: number) => Buffer): boolean {
  const inFile = source.masterKey === null;
  if (!inFile && newKey === null) {
    throw new Fault(
      'usage',
      'no_new_master_key',
      'The master key comes from TOOLLEDGER_MASTER_KEY, so nobody but you can keep the new one. Make it with `openssl rand -base64 32`, store it, and give it on standard input with --new-key-stdin.',
    );
  }
  const db = openDatabase(source.file, 'writer', vaultFormat);
  try {
    const { root, masterKey } = findOrMakeRootKey(db, findMasterKeys(source), randomBytes);
    settleRotation(source, masterKey);
    const next = newKey ?? randomBytes(keyBytes);
    if (inFile) createSecretFile(nextKeyFile(source), next.toString('base64'), randomBytes(8).toString('hex'));
    putRootKey(db, root, next, randomBytes);
    // Those made so far open with the old master key only.
    writeFact(db, 'backed_up_at', null);
    settleRotation(source, next);
    return sweepDatabase(db);
  } finally {
    db.close();
  }
}

/** Ends a rotation that was broken off: keeps the master key that opens the vault, and removes the other one. */
export function settleRotation(source: MasterKeySource, opening: Buffer): void {
  if (source.masterKey !== null) return;
  const next = nextKeyFile(source);
  const line = readSecretFile(next);
  if (line === null) return;
  if (line === opening.toString('base64')) renameSync(next, source.masterKeyFile);
  else rmSync(next);
  syncPath(dirname(next));
}
