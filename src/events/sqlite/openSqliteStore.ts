import { once } from 'node:events';
import type { Clock } from '../../platform/time/clock.js';
import { startThread, type Thread, type ThreadPlace, type ThreadWork } from '../../platform/threads/startThread.js';
import { AppendListeners } from '../appendListeners.js';
import type { RecordedEvent } from '../envelope.js';
import type { EventStore, LedgerHead } from '../eventStore.js';
import { EventStoreError } from '../storeError.js';
import { AppendQueue, defaultQueueLimits, type QueueLimits } from './writing/appendQueue.js';
import type { ReadCall } from './reading/readerMessages.js';
import { ReaderCalls } from './reading/readerCalls.js';
import { type EventRow, eventOfRow } from './reading/row.js';
import type { FromWriter } from './writing/writerMessages.js';

export interface SqliteStoreOptions {
  /** Path of `ledger.db`; made when missing, in a directory that exists. */
  readonly file: string;
  /** The writer's clock, for `recordedAt`. */
  readonly clock: Clock;
  /** How much may wait to be written; 10,000 appends and 64 MiB by default. */
  readonly limits?: QueueLimits;
  /** Where it is read and written; apart by default. */
  readonly place?: ThreadPlace;
}

const writing: ThreadWork<string> = {
  file: 'events/sqlite/writing/writerWorker.js',
  load: async () => (await import('./writing/writerThread.js')).writerThread,
};
const reading: ThreadWork<string> = {
  file: 'events/sqlite/reading/readerWorker.js',
  load: async () => (await import('./reading/readerThread.js')).readerThread,
};

/**
 * Opens the embedded engine on a file. Apart, one thread writes, one reads, and the caller's thread never waits for the disk.
 * Beyond the port it promises positions that are whole numbers from 1 without gaps, ids compared by content for ever,
 * and `recordedAt` that never decreases.
 *
 * @throws EventStoreError `cannot_open`, `newer_schema`, `foreign_file` or `corrupt`
 */
export async function openSqliteStore({ file, clock, limits = defaultQueueLimits, place = 'apart' }: SqliteStoreOptions): Promise<EventStore> {
  const writer = await startWriter(file, place);
  const listeners = new AppendListeners();
  const queue = new AppendQueue(writer, clock, limits, (position) => listeners.tell(position));
  const reader = new ReaderCalls(startThread(reading, file, place));
  try {
    await reader.opened;
  } catch (error) {
    await queue.close();
    throw error;
  }
  const events = async (call: ReadCall): Promise<RecordedEvent[]> => ((await reader.call(call)) as EventRow[]).map(eventOfRow);
  return {
    append: (stream, expected, newEvents) => queue.append(stream, expected, newEvents),
    dropPayloads: (positions) => queue.dropPayloads(positions),
    sweepDropped: () => queue.sweepDropped(),
    writable: () => queue.writable(),
    onAppended: (listener) => listeners.add(listener),
    readStream: (stream, from, limit) => events(['readStream', stream, from, limit]),
    readAll: (after, limit) => events(['readAll', after, limit]),
    head: async () => (await reader.call(['head'])) as LedgerHead | null,
    leafAt: async (position) => (await reader.call(['leafAt', position])) as Uint8Array | null,
    countAfter: async (after) => (await reader.call(['countAfter', after])) as number,
    close: async () => {
      queue.stop();
      // The writer goes last: only it can fold the log into the file.
      await reader.close();
      await queue.close();
    },
  };
}

/** @returns the writer's thread once it has opened the file */
async function startWriter(file: string, place: ThreadPlace): Promise<Thread> {
  const worker = startThread(writing, file, place);
  const [message] = (await once(worker, 'message')) as [FromWriter];
  if ('failure' in message) throw new EventStoreError(message.failure);
  return worker;
}
