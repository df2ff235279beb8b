import { Fault } from '../platform/fault.js';
import type { OwnerOptions, Ownership } from './lock.js';
import { connectOwner, type OwnerConnection } from './socketClient.js';
import { waitForOwner, type Waiting } from './waitForOwner.js';

const retryMs = 50;

/**
 * The way of every command that changes something: becomes the owner of the data directory when nobody is, waits for
 * commands that own it for a while, or connects to the owner that takes requests, also when that is just starting.
 * @throws the signal's reason, Fault `cannot_own` and `cannot_reach_owner`
 */
export async function ownOrConnect(
  directory: string,
  options: OwnerOptions,
  waiting: Waiting,
): Promise<Extract<Ownership, { kind: 'owned' }> | { readonly kind: 'connected'; readonly connection: OwnerConnection }> {
  for (;;) {
    const ownership = await waitForOwner(directory, options, waiting);
    if (ownership.kind === 'owned') return ownership;
    try {
      return { kind: 'connected', connection: await connectOwner(ownership.owner.socket) };
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'owner_not_listening')) throw error;
    }
    await waiting.delay(retryMs, waiting.signal);
  }
}
