import { closeSync, openSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { Fault } from '../../fault.js';
import { nameDraft, refuseExisting } from '../../files/durableFile.js';
import { openDatabase } from '../../sqlite/openDatabase.js';
import { removeDatabase } from '../../sqlite/replaceDatabase.js';
import { faultOf } from '../../sqlite/sqliteFault.js';
import { findRootKey, vaultDamaged } from '../masterKey/rootKey.js';
import { countPeople, vaultFormat } from '../vaultFormat.js';

/** What a copy of the keys holds. */
export interface VaultCopy {
  /** How many people's keys can be read with it. */
  readonly people: number;
  readonly bytes: number;
}

/**
 * Copies an open vault into a new file of its own (mode 0600), checks the copy, and only then gives it its name.
 * @param suffix random: makes the name of the draft unlike any other
 * @throws Fault `file_exists`, `cannot_write_backup`, `vault_damaged`; no file is left then
 */
export function copyVault(db: Database.Database, file: string, masterKeys: readonly Buffer[], suffix: string): VaultCopy {
  refuseExisting(file);
  const draft = `${file}.${suffix}.new`;
  try {
    // SQLite writes into an empty file that is there, so nobody else may read it at any time.
    closeSync(openSync(draft, 'wx', 0o600));
    db.prepare('VACUUM INTO ?').run(draft);
    const people = checkVault(draft, masterKeys);
    nameDraft(draft, file);
    return { people, bytes: statSync(file).size };
  } catch (error) {
    throw copyFault(error, file);
  } finally {
    removeDatabase(draft);
  }
}

/**
 * Reads the file of a vault that nobody has open from end to end.
 * @returns how many people's keys it holds
 * @throws Fault of `openDatabase` and `findRootKey`, `vault_damaged`
 */
export function checkVault(file: string, masterKeys: readonly Buffer[]): number {
  const db = openDatabase(file, 'writer', vaultFormat);
  try {
    const [finding] = db.pragma('integrity_check(1)') as { integrity_check: string }[];
    if (finding?.integrity_check !== 'ok') throw vaultDamaged(file, finding?.integrity_check ?? 'it cannot be checked');
    if (findRootKey(db, masterKeys) === null) throw vaultDamaged(file, 'it has no root key');
    const people = countPeople(db);
    // A file without a write-ahead log can be read where nothing may be written.
    db.pragma('journal_mode = DELETE');
    return people;
  } catch (error) {
    throw faultOf(error, file);
  } finally {
    db.close();
  }
}

function copyFault(error: unknown, file: string): unknown {
  if (error instanceof Fault) return error;
  const errno = (error as NodeJS.ErrnoException).code;
  const cause = errno ?? 'unknown error';
  return new Fault('failed', 'cannot_write_backup', `${file} cannot be written (${cause}). Name a file in a directory that this user may write to, on a disk with room.`, { file, cause }, { cause: faultOf(error, file) });
}
