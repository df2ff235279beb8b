import { join } from 'node:path';

/** Longest socket path in bytes: Node silently cuts longer ones at about 107, some systems at 103. */
const longestPath = 100;

/** Where the owner's socket lies. */
export interface SocketPlace {
  readonly path: string;
  /** A folder only for the socket, to be made with mode 0700 and removed again; null when it lies in the data directory. */
  readonly folder: string | null;
}

/**
 * Chooses where a data directory's socket lies: `owner.sock` in it or, when that path is too long, in a new folder
 * under the system's temporary directory. Others learn the path from the lock file.
 */
export function socketPlace(dataDirectory: string, temporaryDirectory: string, newId: () => string): SocketPlace {
  const path = join(dataDirectory, 'owner.sock');
  if (Buffer.byteLength(path) <= longestPath) return { path, folder: null };
  const folder = join(temporaryDirectory, `toolledger-${newId()}`);
  return { path: join(folder, 'owner.sock'), folder };
}
