import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { Fault } from '../../../platform/fault.js';
import { nameDraft, refuseExisting } from '../../../platform/files/durableFile.js';

/**
 * Writes a new file (mode 0600) of any length: whole, on the disk and under its name, or not at all.
 * @param write gets what writes a piece and resolves when more can be taken
 * @throws Fault `file_exists`, `cannot_write`; whatever `write` throws
 */
export async function writeNewFile<T>(file: string, write: (pour: (text: string) => Promise<void>) => Promise<T>): Promise<T> {
  refuseExisting(file);
  const draft = `${file}.${randomBytes(8).toString('hex')}.new`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    let result: T;
    try {
      result = await write((text) => handle.writeFile(text));
    } finally {
      await handle.close();
    }
    nameDraft(draft, file);
    return result;
  } catch (error) {
    const errno = (error as NodeJS.ErrnoException).code;
    if (error instanceof Fault || errno === undefined) throw error;
    throw new Fault('failed', 'cannot_write', `${file} cannot be written (${errno}). Name a file in a directory that this user may write to, on a disk with room.`, { file, cause: errno }, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}
