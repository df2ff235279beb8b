import { closeSync, fsyncSync, linkSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Gives a finished draft its name, and returns when both are on the disk. Unlike a rename, it never replaces what is
 * there; the draft keeps its own name too.
 * @throws the system's error, `EEXIST` when the name is taken
 */
export function nameDraft(draft: string, file: string): void {
  syncPath(draft);
  linkSync(draft, file);
  syncPath(dirname(file));
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
