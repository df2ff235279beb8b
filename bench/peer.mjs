import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';

/** Said instead of a value when the peer is not there. */
export const peerMissing = 'peer not installed';

const module = new URL('node_modules/@event-driven-io/emmett-sqlite/dist/index.js', import.meta.url);

export const peerInstalled = existsSync(module);

/** The peer's module. */
export function loadPeer() {
  return import(module.href);
}

/**
 * The event store that is compared with, in a process of its own: it prints errors on standard output.
 * @returns null when `npm run bench:peer` was not run
 */
export function openPeer(file) {
  if (!peerInstalled) return null;
  const child = fork(new URL('peerChild.mjs', import.meta.url), [JSON.stringify({ file })], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ask = async (request) => {
    child.send(request);
    const exited = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the peer's process ended with ${code}`)));
    exited.catch(() => undefined);
    const [answer] = await Promise.race([once(child, 'message'), exited]);
    return answer;
  };
  return {
    /** Appends `total` events of the usual size from `callers` callers at once. @returns appends a second */
    append: (total, callers) => ask({ total, callers }),
    close: () => child.disconnect(),
  };
}
