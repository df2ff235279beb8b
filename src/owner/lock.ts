import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '../platform/time/clock.js';
import { Fault } from '../platform/fault.js';
import type { NewId } from '../platform/ids.js';
import { sqliteCode } from '../platform/sqlite/sqliteFault.js';

/** Name of the lock file in a data directory. Only SQLite may open it: closing it otherwise drops this process's locks. */
const lockFile = 'owner.lock';

/** Longest wait for another process that is just writing its name, in milliseconds. */
const momentMs = 5_000;

/** Who owns a data directory, as it said itself. */
export interface Owner {
  readonly pid: number;
  /** What it is doing, e.g. `serve`. */
  readonly command: string;
  /** When it became the owner, milliseconds since the epoch. */
  readonly since: number;
  /** Where its socket is (or will soon be), or null when it takes no requests. */
  readonly socket: string | null;
}

/** What came of trying to own a data directory. */
export type Ownership =
  | {
      readonly kind: 'owned';
      readonly release: () => void;
      /** False when somebody removed or replaced the lock file: another process may own the directory by now. */
      readonly isHeld: () => boolean;
    }
  /** `owner` is null in the moment in which somebody becomes or stops being the owner. */
  | { readonly kind: 'busy'; readonly owner: Owner | null };

/** What the owner tells others of itself. */
export interface OwnerOptions {
  readonly command: string;
  readonly socket: string | null;
  readonly pid: number;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Tries to become the owner of a data directory. Ownership is a lock that the operating system takes back when the
 * process ends, however it ends; a file left behind is no obstacle.
 *
 * The owner writes its name in one transaction and holds the write lock in the next one, so that others can read the
 * name. Somebody else may write theirs in between: whoever then holds the lock and finds another name lets go.
 * @throws Fault `cannot_own` when the lock file cannot be used, e.g. in a read-only directory
 */
export function acquireOwner(directory: string, options: OwnerOptions): Ownership {
  const file = join(directory, lockFile);
  const db = openLock(file);
  try {
    const outcome = contend(db, file, options);
    if (outcome.kind === 'busy') db.close();
    return outcome;
  } catch (error) {
    db.close();
    throw cannotOwn(file, error);
  }
}

function contend(db: Database.Database, file: string, options: OwnerOptions): Ownership {
  if (!lock(db, 0)) return { kind: 'busy', owner: readOwner(db)?.owner ?? null };
  // Somebody reading the name at this moment holds up the commit.
  db.pragma(`busy_timeout = ${momentMs}`);
  const token = options.newId();
  write(db, token, options);
  db.exec('COMMIT');
  if (!lock(db, momentMs)) return { kind: 'busy', owner: readOwner(db)?.owner ?? null };
  const named = readOwner(db);
  if (named?.token !== token) {
    db.exec('ROLLBACK');
    return { kind: 'busy', owner: named?.owner ?? null };
  }
  const held = identityOf(file);
  return {
    kind: 'owned',
    release: () => {
      db.close();
    },
    isHeld: () => identityOf(file) === held,
  };
}

/** Which file lies at a path; looking does not open it. */
function identityOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

/** @returns whether this connection now holds the write lock */
function lock(db: Database.Database, timeoutMs: number): boolean {
  db.pragma(`busy_timeout = ${timeoutMs}`);
  try {
    db.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function write(db: Database.Database, token: string, { command, socket, pid, clock }: OwnerOptions): void {
  db.exec('CREATE TABLE IF NOT EXISTS owner (id INTEGER PRIMARY KEY CHECK (id = 1), token TEXT, pid INTEGER, command TEXT, since INTEGER, socket TEXT)');
  db.prepare('REPLACE INTO owner (id, token, pid, command, since, socket) VALUES (1, ?, ?, ?, ?, ?)').run(token, pid, command, clock.now(), socket);
}

function readOwner(db: Database.Database): { readonly token: string; readonly owner: Owner } | null {
  db.pragma(`busy_timeout = ${momentMs}`);
  try {
    const row = db.prepare<[], Owner & { token: string }>('SELECT token, pid, command, since, socket FROM owner WHERE id = 1').get();
    if (row === undefined) return null;
    const { token, ...owner } = row;
    return { token, owner };
  } catch (error) {
    // The first owner ever has not written the table yet.
    if (isBusy(error) || sqliteCode(error) === 'SQLITE_ERROR') return null;
    throw error;
  }
}

function openLock(file: string): Database.Database {
  const mask = process.umask(0o077);
  try {
    return new Database(file, { timeout: momentMs });
  } catch (error) {
    throw cannotOwn(file, error);
  } finally {
    process.umask(mask);
  }
}

function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false;
}

function cannotOwn(file: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === null && !(error instanceof TypeError)) return error;
  const cause = code ?? 'the directory does not exist';
  const next =
    code === 'SQLITE_NOTADB' || code?.startsWith('SQLITE_CORRUPT') === true
      ? 'It is not a lock file; when no toolledger uses this directory, delete it'
      : 'Check that the directory exists, has space, and that this user may write to it';
  return new Fault('failed', 'cannot_own', `${file} cannot be used (${cause}). ${next}.`, { file, cause }, { cause: error });
}
