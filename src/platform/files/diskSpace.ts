import { statfsSync } from 'node:fs';

/** Less free space than this is worth a warning, in bytes: enough for a restart and for reading what went wrong. */
const little = 1024 * 1024 * 1024;

/** How much room a disk has. */
export interface DiskSpace {
  /** Worth a warning. */
  readonly low: boolean;
  /** For people, e.g. `512 MiB free`. */
  readonly text: string;
}

/** The room on the disk that a directory lies on, for this user. @throws the system's error */
export function diskSpace(directory: string): DiskSpace {
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  return { low: free < little, text: `${Math.floor(free / (1024 * 1024))} MiB free` };
}
