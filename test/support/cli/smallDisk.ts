import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own that can be filled. */
export interface SmallDisk {
  readonly directory: string;
  /** Takes all space there is, but for so many bytes. */
  fill(leave?: number): void;
  /** Gives it back, if it was taken. */
  free(): void;
  remove(): void;
}

/** A disk of 16 MiB in memory, or null where this user may not mount one. */
export function mountSmallDisk(): SmallDisk | null {
  const directory = mkdtempSync(join(tmpdir(), 'tl-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=0700', 'tmpfs', directory]).status !== 0) {
    rmdirSync(directory);
    return null;
  }
  const filler = join(directory, 'filler');
  return {
    directory,
    fill(leave = 0) {
      const fd = openSync(filler, 'a');
      // A piece that does not fit is written in part; what is left takes the smallest pieces.
      for (const piece of [Buffer.alloc(1024 * 1024), Buffer.alloc(4096)]) while (writes(fd, piece));
      ftruncateSync(fd, fstatSync(fd).size - leave);
      closeSync(fd);
    },
    free() {
      rmSync(filler, { force: true });
    },
    remove() {
      // Lazily: a process that was killed may not be gone yet.
      spawnSync('umount', ['-l', directory]);
      rmdirSync(directory);
    },
  };
}

function writes(fd: number, piece: Buffer): boolean {
  try {
    return writeSync(fd, piece) > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

/**
 * From now on a process cannot write beyond so many bytes of any file, as on a disk that fails.
 * @returns false where the system has no such limit
 */
export function limitFileSize(pid: number, bytes: number): boolean {
  return spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:${bytes}`]).status === 0;
}
