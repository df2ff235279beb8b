import { Worker } from 'node:worker_threads';
import { workerFile } from '../../platform/installation.js';
import { callText } from '../callText/projection.js';
import type { RebuildCalls } from './rebuildWorker.js';
import type { RebuildProgress, RebuildReport } from '../views.js';
import { WorkerCalls } from '../threads/workerCalls.js';
import type { LedgerAccess } from '../folding/workerInputs.js';

/**
 * Builds views anew into temporary files, off this thread. The text index costs as much as all others together, so it
 * gets a thread and a scan of the ledger of its own.
 * @throws the signal's reason when it is aborted, and whatever went wrong in a thread; the files are gone then
 */
export async function buildTemporaries(
  access: LedgerAccess,
  views: readonly string[],
  onProgress: (progress: RebuildProgress) => void,
  signal: AbortSignal,
): Promise<readonly RebuildReport[]> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const groups = [views.filter((view) => view === callText.name), views.filter((view) => view !== callText.name)];
  const builds = groups
    .filter((group) => group.length > 0)
    .map(async (group) => {
      try {
        return await buildGroup(access, group, onProgress, either);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    });
  const results = await Promise.allSettled(builds);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw signal.aborted ? signal.reason : failed.reason;
  const reports = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return views.flatMap((view) => reports.filter(({ name }) => name === view));
}

async function buildGroup(
  access: LedgerAccess,
  views: readonly string[],
  onProgress: (progress: RebuildProgress) => void,
  signal: AbortSignal,
): Promise<readonly RebuildReport[]> {
  signal.throwIfAborted();
  const worker = new Worker(workerFile('projections/rebuilding/rebuildWorker.js'), { workerData: access, name: 'rebuild' });
  const calls = new WorkerCalls<RebuildCalls, RebuildProgress>(worker, onProgress, () => undefined);
  const cancel = (): void => void calls.call('cancel', null).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const reports = await calls.call('build', { views });
    signal.throwIfAborted();
    return reports ?? [];
  } finally {
    signal.removeEventListener('abort', cancel);
    await calls.close();
  }
}
