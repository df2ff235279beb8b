import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from '../files/durableFile.js';
import { Fault } from '../fault.js';

/**
 * Reads a small file that holds one secret line.
 * @returns the line without white space around it, or null when there is no such file
 * @throws Fault `cannot_read_secret` when it is there and cannot be read
 */
export function readSecretFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw secretFault('cannot_read_secret', `${file} cannot be read`, file, error);
  }
}

/**
 * Makes a secret file with mode 0600, whole and on the disk, or not at all. A file that is already there is left
 * alone, also when another process makes it at the same moment.
 * @param line what to write; a line feed is added
 * @param suffix random: makes the name of the draft unlike any other
 * @returns what the file holds now: `line`, or what was there first
 * @throws Fault `cannot_write_secret`, or `cannot_read_secret`
 */
export function createSecretFile(file: string, line: string, suffix: string): string {
  const draft = `${file}.${suffix}.new`;
  try {
    writeDurably(draft, `${line}\n`);
    // Unlike a rename, a link never replaces what is there.
    linkSync(draft, file);
    syncPath(dirname(file));
    return line;
  } catch (error) {
    const first = errnoOf(error) === 'EEXIST' ? readSecretFile(file) : null;
    if (first !== null) return first;
    throw secretFault('cannot_write_secret', `${file} cannot be made`, file, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function secretFault(code: string, what: string, file: string, cause: unknown): Fault {
  const errno = errnoOf(cause) ?? 'unknown error';
  return new Fault('failed', code, `${what} (${errno}). Check that this user may use the directory it lies in.`, { file, errno }, { cause });
}

function errnoOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
