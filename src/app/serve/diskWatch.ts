import { diskSpace, type DiskSpace } from '../../platform/files/diskSpace.js';
import type { Log } from '../../platform/log.js';
import type { Schedule } from '../../platform/time/schedule.js';

/** How often the disk is looked at, in milliseconds. */
const lookEveryMs = 60_000;

/**
 * Warns in the log when the disk under a directory has little room left, once until it has room again.
 * @param look reads the room there is
 * @returns stops it
 */
export function watchDisk(directory: string, log: Pick<Log, 'warn' | 'info'>, schedule: Schedule, look: (directory: string) => DiskSpace = diskSpace): () => void {
  let warned = false;
  let cancel = (): void => undefined;
  const watch = (): void => {
    try {
      const { low, text } = look(directory);
      if (low && !warned) log.warn({ directory }, `the disk is getting full, ${text}: the ledger turns read-only when it is; make room`);
      if (!low && warned) log.info({ directory }, `the disk has room again, ${text}`);
      warned = low;
    } catch {
      // A directory that cannot be looked at is what the store itself will complain of.
    }
    cancel = schedule(lookEveryMs, watch);
  };
  watch();
  return () => cancel();
}
