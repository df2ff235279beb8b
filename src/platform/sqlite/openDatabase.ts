import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Fault } from '../fault.js';
import { cannotOpen, faultOf } from './sqliteFault.js';

/**
 * What a connection is for.
 * - `writer`: data that cannot be made again; a commit is on the disk when it returns
 * - `reader`: reads only, beside a writer
 * - `disposable`: data that can be made again; the last commits may be lost when the power fails, never half of one
 */
export type DatabaseRole = 'writer' | 'reader' | 'disposable';

/** The format of a file: whose it is, and how each version's schema follows from the one before. */
export interface DatabaseFormat {
  /** SQLite `application_id`, 1 to 2^31 - 1: says that a file is of this format. */
  readonly applicationId: number;
  /** SQL that leads from version `index` to `index + 1`. Appended to, never changed. */
  readonly migrations: readonly string[];
}

const busyTimeoutMs = 5_000;

/**
 * Opens a SQLite file in WAL mode for a role. Writers and disposables make a missing file (mode 0600) and bring an
 * older one up to date, all steps in one transaction; readers need a file that is up to date.
 *
 * @throws Fault `newer_schema` (details file, found, known), `foreign_file` or `cannot_open` (details file), with the
 *   file untouched; `corrupt` (kind `damaged`) when the file is damaged
 */
export function openDatabase(file: string, role: DatabaseRole, format: DatabaseFormat): Database.Database {
  const stored = role === 'reader' ? sizeOf(file) : prepareFile(file);
  if (role === 'reader' && stored === 0) throw cannotOpen(file, 'it does not exist yet; run a command that writes first');
  if (stored > 0) refuseUnknown(file, format);
  try {
    return role === 'reader' ? openReader(file, format) : openWriter(file, role, format);
  } catch (error) {
    throw faultOf(error, file);
  }
}

function openWriter(file: string, role: 'writer' | 'disposable', format: DatabaseFormat): Database.Database {
  return opened(new Database(file, { timeout: busyTimeoutMs }), (db) => {
    if (db.pragma('journal_mode = WAL', { simple: true }) !== 'wal') {
      throw cannotOpen(file, 'this file system does not support write-ahead logging; put the data on a local disk');
    }
    db.pragma(role === 'writer' ? 'synchronous = FULL' : 'synchronous = NORMAL');
    db.pragma('journal_size_limit = 67108864');
    db.pragma('foreign_keys = ON');
    // Without it INSERT OR REPLACE deletes rows past their delete triggers.
    db.pragma('recursive_triggers = ON');
    db.pragma('trusted_schema = OFF');
    migrate(db, format);
  });
}

function openReader(file: string, format: DatabaseFormat): Database.Database {
  return opened(new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs }), (db) => {
    db.pragma('query_only = ON');
    db.pragma('trusted_schema = OFF');
    const found = userVersion(db);
    if (found < format.migrations.length) {
      throw cannotOpen(
        file,
        `it has schema version ${found} and must be brought to ${format.migrations.length} first; run a command that writes`,
      );
    }
  });
}

function opened(db: Database.Database, setUp: (db: Database.Database) => void): Database.Database {
  try {
    setUp(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: Database.Database, format: DatabaseFormat): void {
  if (userVersion(db) === format.migrations.length) return;
  db.transaction(() => {
    // Read again under the lock: another process may have been quicker.
    for (const sql of format.migrations.slice(userVersion(db))) db.exec(sql);
    db.pragma(`application_id = ${format.applicationId}`);
    db.pragma(`user_version = ${format.migrations.length}`);
  }).immediate();
}

/** Looks without being able to write: even closing a writing connection would fold the WAL into the file. */
function refuseUnknown(file: string, format: DatabaseFormat): void {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    const applicationId = Number(db.pragma('application_id', { simple: true }));
    const found = userVersion(db);
    const blank = applicationId === 0 && found === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    if (applicationId !== format.applicationId && !blank) {
      throw new Fault(
        'failed',
        'foreign_file',
        `${file} belongs to another program (application id ${applicationId}, expected ${format.applicationId}). Nothing was changed; point --data at another directory.`,
        { file, detail: `application id ${applicationId}, expected ${format.applicationId}` },
      );
    }
    if (found > format.migrations.length) {
      throw new Fault(
        'failed',
        'newer_schema',
        `${file} has schema version ${found}; this program knows up to ${format.migrations.length}. Nothing was changed; run the newer version of toolledger that wrote it.`,
        { file, found, known: format.migrations.length },
      );
    }
  } catch (error) {
    throw faultOf(error, file);
  } finally {
    db?.close();
  }
}

/** @returns the size in bytes of a file that can be written, made empty when it was missing */
function prepareFile(file: string): number {
  const directory = dirname(file);
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotOpen(file, `the directory ${directory} is missing or not writable; create it, or allow this user to write to it`, error);
  }
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw cannotOpen(file, 'it is not a file this user may write; check its owner and mode', error);
  }
  return sizeOf(file);
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw cannotOpen(file, 'this user may not read it; check the owner and mode of it and its directory', error);
  }
}

function userVersion(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}
