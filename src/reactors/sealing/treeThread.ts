import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Fault } from '../../platform/fault.js';
import { workerFile } from '../../platform/installation.js';
import type { Growth, LedgerTree } from './growTree.js';
import type { FromTree } from './treeMessages.js';

/** Grows the tree off the calling thread; one growth at a time. */
export interface TreeThread {
  /** @throws Fault as `growTree`, `seal_not_written`; those of the event store */
  grow(growth: Growth): Promise<LedgerTree>;
  /** A growth under way is broken off; the next one begins where it began. */
  close(): Promise<void>;
}

/** @param ledger the embedded engine's file; it is opened when something is first grown */
export function openTreeThread(ledger: string): TreeThread {
  let worker: Worker | null = null;
  return {
    async grow(growth) {
      const running = (worker ??= new Worker(workerFile('reactors/sealing/treeWorker.js'), { workerData: ledger }));
      running.postMessage(growth);
      const answer = await firstWord(running);
      if (typeof answer === 'number') {
        worker = null;
        throw new Fault('failed', 'sealing_stopped', 'The thread that computes seals ended before it was done. Nothing was sealed; it is done again with the next seal.');
      }
      if ('tree' in answer) return answer.tree;
      const { kind, code, message, details } = answer.fault;
      throw new Fault(kind, code, message, details);
    },
    async close() {
      await worker?.terminate();
      worker = null;
    },
  };
}

/** What it says next, or the code it ends with. */
async function firstWord(worker: Worker): Promise<FromTree | number> {
  const heard = new AbortController();
  try {
    const [word] = (await Promise.race(['message', 'exit'].map((event) => once(worker, event, { signal: heard.signal })))) as [FromTree | number];
    return word;
  } finally {
    heard.abort();
  }
}
