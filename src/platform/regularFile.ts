import { statSync } from 'node:fs';
import { Fault } from './fault.js';

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
