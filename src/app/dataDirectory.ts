import { mkdirSync } from 'node:fs';
import { Fault } from '../platform/fault.js';

/**
 * Makes the data directory when it is missing, for nobody else to look into.
 * @throws Fault `cannot_make_data_directory`
 */
export function makeDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
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
