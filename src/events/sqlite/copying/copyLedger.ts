import { Worker } from 'node:worker_threads';
import { Fault } from '../../../platform/fault.js';
import { removeDatabase } from '../../../platform/sqlite/replaceDatabase.js';
import { workerFile } from '../../../platform/installation.js';
import { EventStoreError, type StoreFailure } from '../../storeError.js';

/** What is copied where. */
export interface CopyTask {
  readonly from: string;
  readonly to: string;
}

/** What the copying thread says once. */
export type FromCopier = { readonly copied: true } | { readonly failure: StoreFailure } | { readonly notCopied: string };

/**
 * Copies a ledger as it is at one moment into a new file (mode 0600), off the calling thread and beside a running
 * writer. The copy is one file without a write-ahead log.
 * @param to must not exist
 * @throws EventStoreError `cannot_open`, `newer_schema`, `foreign_file`, `corrupt` about `from`; Fault
 *   `cannot_write_copy`; the signal's reason. No file is left then.
 */
export async function copyLedger(from: string, to: string, signal: AbortSignal): Promise<void> {
  try {
    await copyInThread({ from, to }, signal);
  } catch (error) {
    removeDatabase(to);
    throw error;
  }
}

async function copyInThread(task: CopyTask, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(workerFile('events/sqlite/copying/copyWorker.js'), { workerData: task, name: 'copy' });
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const said = await new Promise<FromCopier>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new EventStoreError({ code: 'unavailable', detail: 'the copying thread ended without an answer' })));
    });
    if ('failure' in said) throw new EventStoreError(said.failure);
    if ('notCopied' in said) throw cannotWrite(task, said.notCopied);
  } finally {
    signal.removeEventListener('abort', stop);
    // It may still be at work on the file.
    await worker.terminate();
    signal.throwIfAborted();
  }
}

function cannotWrite({ from, to }: CopyTask, cause: string): Fault {
  return new Fault(
    'failed',
    'cannot_write_copy',
    `${from} could not be copied to ${to} (${cause}). Nothing is left of the copy; name a place this user may write to, on a disk with room for it.`,
    { from, to, cause },
  );
}
