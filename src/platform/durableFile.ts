import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a file so that it is on the disk, whole, when this returns; whoever looks meanwhile, or after a crash, sees the
 * old one or the new one. Only one process may write the same file at a time.
 * @param mode of a file that is made new
 * @throws the system's error; nothing was changed then
 */
export function replaceFile(file: string, content: string | Uint8Array, mode = 0o600): void {
  const draft = `${file}.new`;
  try {
    writeWhole(draft, content, mode);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncPath(dirname(file));
}

/**
 * Gives a finished draft its name, and returns when both are on the disk. Never replaces a file.
 * @throws the system's error, `EEXIST` when the name is taken: the draft is left then
 */
export function nameDraft(draft: string, file: string): void {
  syncPath(draft);
  // Unlike a rename, a link never replaces what is there.
  linkSync(draft, file);
  rmSync(draft);
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

function writeWhole(file: string, content: string | Uint8Array, mode: number): void {
  const descriptor = openSync(file, 'w', mode);
  try {
    writeAll(descriptor, Buffer.from(content));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A write may take only a part. */
function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
