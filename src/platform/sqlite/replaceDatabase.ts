import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from '../files/durableFile.js';
import { openDatabase, type DatabaseFormat } from './openDatabase.js';
import { cutLog } from './sweep.js';

const companions = ['-wal', '-shm', '-journal'];

/**
 * Gives a closed draft the place of a database, which nobody may have open. Whoever looks, also after a crash, sees the
 * old one or the new one, each whole.
 */
export function replaceDatabase(draft: string, file: string, format: DatabaseFormat): void {
  foldIn(file, format);
  // A write-ahead log of the old file would be taken for one of the new file.
  for (const suffix of companions) rmSync(`${file}${suffix}`, { force: true });
  renameSync(draft, file);
  syncPath(dirname(file));
}

/** Removes a database and whatever SQLite laid beside it. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', ...companions]) rmSync(`${file}${suffix}`, { force: true });
}

/** So that the old file is whole without its log, should the machine stop before it is replaced. */
function foldIn(file: string, format: DatabaseFormat): void {
  if (!existsSync(`${file}-wal`)) return;
  try {
    const db = openDatabase(file, 'writer', format);
    cutLog(db);
    db.close();
  } catch {
    // What cannot be opened is being replaced for that.
  }
}
