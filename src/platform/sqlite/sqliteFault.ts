import { Fault } from '../fault.js';

/**
 * SQLite's own name for what went wrong, e.g. `SQLITE_FULL` or `SQLITE_IOERR_FSYNC`.
 * @returns null when `error` does not come from SQLite
 */
export function sqliteCode(error: unknown): string | null {
  // By name, not by class: the native module knows only the class of whoever loaded it first in the process.
  if (typeof error !== 'object' || error === null || !('code' in error) || !('name' in error)) return null;
  return error.name === 'SqliteError' && typeof error.code === 'string' ? error.code : null;
}

/** The fault for a file that cannot be opened; `detail` says why and what to do. */
export function cannotOpen(file: string, detail: string, cause?: unknown): Fault {
  return new Fault('failed', 'cannot_open', `${file} cannot be opened: ${detail}.`, { file, detail }, { cause });
}

/**
 * What an error while opening `file` means for people.
 * @returns a Fault `foreign_file`, `corrupt` or `cannot_open`; faults and errors that are not SQLite's come back as they are
 */
export function faultOf(error: unknown, file: string): unknown {
  const code = sqliteCode(error);
  if (code === null) return error;
  const said = (error as Error).message;
  if (code === 'SQLITE_NOTADB') {
    return new Fault(
      'failed',
      'foreign_file',
      `${file} is not a database. Nothing was changed; point --data at another directory.`,
      { file, detail: 'not a database' },
      { cause: error },
    );
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new Fault(
      'damaged',
      'corrupt',
      `${file} is damaged: ${said}. Stop writing to it, keep a copy, and restore a backup.`,
      { file, detail: said },
      { cause: error },
    );
  }
  if (code.startsWith('SQLITE_BUSY')) return cannotOpen(file, 'another process holds it locked; stop that process or try again', error);
  if (code === 'SQLITE_FULL') return cannotOpen(file, 'the disk is full; free some space', error);
  return cannotOpen(file, `${said} (${code}); check that the disk works and has space, and that this user may write to the directory`, error);
}
