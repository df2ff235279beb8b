import { acquireOwner, type Owner, type OwnerOptions, type Ownership } from './lock.js';

const firstWaitMs = 20;
const longestWaitMs = 500;

/** How to wait. */
export interface Waiting {
  /** Ends the wait: its reason is thrown. */
  readonly signal: AbortSignal;
  /** Resolves after so many milliseconds, or rejects when the signal aborts. */
  readonly delay: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Called once for each owner that is waited for. */
  readonly onWaiting: (owner: Owner) => void;
}

/** An owner that takes requests. */
export type AskableOwner = Owner & { readonly socket: string };

/**
 * Becomes the owner of a data directory, waiting for commands that own it for a while. An owner with a socket is not
 * waited for: it takes requests.
 * @returns `owned`, or `busy` with an owner that has a socket
 * @throws the signal's reason, and Fault `cannot_own`
 */
export async function waitForOwner(
  directory: string,
  options: OwnerOptions,
  waiting: Waiting,
): Promise<Extract<Ownership, { kind: 'owned' }> | { readonly kind: 'busy'; readonly owner: AskableOwner }> {
  let told: Owner | null = null;
  for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, longestWaitMs)) {
    waiting.signal.throwIfAborted();
    const ownership = acquireOwner(directory, options);
    if (ownership.kind === 'owned') return ownership;
    const { owner } = ownership;
    if (owner !== null && isAskable(owner)) {
      if (isVisible(owner.pid) || wait === longestWaitMs) return { kind: 'busy', owner };
    } else if (owner !== null) {
      if (told?.pid !== owner.pid || told.since !== owner.since) waiting.onWaiting(owner);
      told = owner;
    }
    await waiting.delay(wait, waiting.signal);
  }
}

function isAskable(owner: Owner): owner is AskableOwner {
  return owner.socket !== null;
}

/**
 * Whether a process with this id is seen from here. If not, the name may be that of a dead owner, which its follower
 * is just overwriting; or the owner lives in another container, and then the name stays.
 */
function isVisible(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
