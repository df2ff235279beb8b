import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Owner } from '../../owner/lock.js';
import { ownOrConnect } from '../../owner/ownOrConnect.js';
import type { OwnerConnection } from '../../owner/socketClient.js';
import { systemClock } from '../../platform/time/clock.js';
import { newId } from '../../platform/ids.js';
import { makeDataDirectory } from '../dataDirectory.js';
import type { Session } from '../session.js';

/** What to do when this process has become the owner, and when there is one that takes requests. */
export interface OwnershipWork<T> {
  readonly owned: () => Promise<T>;
  readonly connected: (connection: OwnerConnection) => Promise<T>;
}

/** Becomes the owner of the data directory for one piece of work, or connects to the owner. */
export async function withOwnership<T>({ files, command, notice }: Session, signal: AbortSignal, work: OwnershipWork<T>): Promise<T> {
  makeDataDirectory(files.directory);
  const isNew = !existsSync(files.ledger);
  const reached = await ownOrConnect(
    files.directory,
    { command, socket: null, pid: process.pid, clock: systemClock, newId },
    { signal, delay: wait, onWaiting: (owner) => notice(waitingFor(owner)) },
  );
  if (isNew && reached.kind === 'owned') notice(`There is no ledger in ${files.directory} yet; one is made there.`);
  try {
    return await (reached.kind === 'owned' ? work.owned() : work.connected(reached.connection));
  } finally {
    if (reached.kind === 'owned') reached.release();
    else reached.connection.close();
  }
}

/** Resolves after `ms` milliseconds, or rejects when the signal aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<unknown> {
  return delay(ms, undefined, { signal });
}

/** Who is waited for, for people. */
export function waitingFor({ pid, command, since }: Owner): string {
  return `Waiting for process ${pid} (${command}), which has used the data directory since ${new Date(since).toISOString()}.`;
}
