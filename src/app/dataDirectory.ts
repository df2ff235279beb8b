import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../platform/fault.js';

/**
 * Makes the data directory when it is missing, for nobody else to look into.
 * @throws Fault `cannot_make_data_directory`
 */
export function makeDataDirectory(directory: string): void {
  try {
    makeWithParents(directory);
  } catch (error) {
    const cause = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Fault(
      'failed',
      'cannot_make_data_directory',
      `The data directory ${directory} cannot be made (${cause}). Make it yourself, or name another with --data.`,
      { directory, cause },
      { cause: error },
    );
  }
}

/** Not by mkdir's own recursion, which never ends where a missing entry is reported although the parent is there, as in /proc. */
function makeWithParents(directory: string): void {
  if (isDirectory(directory)) return;
  makeWithParents(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
