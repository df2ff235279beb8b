import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../fault.js';

/**
 * Gives a finished draft its name, and returns when both are on the disk. Never replaces a file.
 * @throws Fault usage `file_exists`, the system's error: the draft is left then
 */
export function nameDraft(draft: string, file: string): void {
  syncPath(draft);
  try {
    // Unlike a rename, a link never replaces what is there.
    linkSync(draft, file);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? fileExists(file) : error;
  }
  rmSync(draft);
  syncPath(dirname(file));
}

/** Before any work for a new file is begun: `nameDraft` would refuse it in the end. @throws Fault usage `file_exists` */
export function refuseExisting(file: string): void {
  if (existsSync(file)) throw fileExists(file);
}

/** Puts a file that others have written, or the names in a directory, on the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function fileExists(file: string): Fault {
  return new Fault('usage', 'file_exists', `${file} is there already and is not replaced. Name another file, or move it away.`, { file });
}
