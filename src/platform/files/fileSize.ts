import { statSync } from 'node:fs';

/** Bytes of a file; 0 when it is not there. @throws the system's error when it cannot be looked at */
export function fileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
