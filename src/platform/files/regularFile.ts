import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Fault } from '../fault.js';

/**
 * Refuses what is there and is not a file: reading a pipe or a device may never end. What is not there is left to
 * whoever opens it.
 * @param what names it for people, e.g. `The backup`
 * @throws Fault usage `not_a_file`
 */
export function refuseIrregular(file: string, what: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  const kind = found.isDirectory() ? 'a directory' : found.isFIFO() ? 'a pipe' : 'a device';
  throw new Fault('usage', 'not_a_file', `${what} ${file} is ${kind}; name a file.`, { file });
}

/**
 * Refuses a backup that lies where a restore keeps its draft: it would be cleared away as what an earlier one has left.
 * @throws Fault usage `draft_name`
 */
export function refuseDraftName(backup: string, draft: string): void {
  if (resolve(backup) !== draft) return;
  throw new Fault('usage', 'draft_name', `${backup} is the name that a restore itself uses. Move the backup elsewhere and name it there.`, { file: backup });
}
