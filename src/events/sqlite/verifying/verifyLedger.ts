import { Worker } from 'node:worker_threads';
import { workerFile } from '../../../platform/installation.js';
import { EventStoreError } from '../../storeError.js';
import type { LedgerReport } from './damage.js';
import type { SealedTree } from './checkTree.js';
import type { FromVerifier, VerifyTask } from './verifyMessages.js';

type OnProgress = (progress: { readonly done: number; readonly total: number }) => void;

/**
 * Checks a ledger from its first event to its head off the calling thread, beside a running writer: see `checkRows`
 * and `checkStructure`, which run side by side.
 *
 * @param signal stops it; the promise then rejects with the signal's reason
 * @param sealed what was signed of it, to be compared with it
 * @returns how many events are as they were written, and the first damage; one event's damage goes before that of the file
 * @throws EventStoreError `cannot_open`, `newer_schema` or `foreign_file`
 */
export async function verifyLedger(file: string, onProgress: OnProgress, signal: AbortSignal, sealed?: SealedTree): Promise<LedgerReport> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  try {
    const [rows, structure] = await Promise.all([
      run({ file, part: 'rows', ...(sealed !== undefined && { sealed }) }, onProgress, either),
      run({ file, part: 'structure' }, () => undefined, either),
    ]);
    return { events: rows.events, damage: rows.damage ?? structure.damage };
  } finally {
    // When one half could not look, the other need not go on.
    stop.abort();
  }
}

function run(task: VerifyTask, onProgress: OnProgress, signal: AbortSignal): Promise<LedgerReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile('events/sqlite/verifying/verifyWorker.js'), { workerData: task });
    const stop = (): void => {
      reject(signal.reason as Error);
      void worker.terminate();
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.on('message', (message: FromVerifier) => {
      if ('report' in message) resolve(message.report);
      else if ('failure' in message) reject(new EventStoreError(message.failure));
      else onProgress(message);
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop);
      reject(new EventStoreError({ code: 'unavailable', detail: 'the verifying thread ended without an answer' }));
    });
  });
}
