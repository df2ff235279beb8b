import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file (mode 0600) so that it is on the disk, whole, when the promise resolves; whoever looks meanwhile, or after
 * a crash, sees the old one or the new one. Only one process may write the same file at a time.
 * @throws the system's error; nothing was changed then
 */
export async function replaceInBackground(file: string, content: string | Uint8Array): Promise<void> {
  const draft = `${file}.new`;
  try {
    await written(draft, 'w', content);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncInBackground(dirname(file));
}

/** Adds to the end of a file, made when missing; it is on the disk when the promise resolves. */
export async function appendInBackground(file: string, text: string): Promise<void> {
  await written(file, 'a', text);
  await syncInBackground(dirname(file));
}

/** Puts the names in a directory on the disk. */
export async function syncInBackground(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function written(file: string, how: 'w' | 'a', content: string | Uint8Array): Promise<void> {
  const handle = await open(file, how, 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
