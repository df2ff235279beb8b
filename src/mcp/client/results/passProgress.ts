import { performance } from 'node:perf_hooks';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import type { CallProgress } from '../../../tools/remoteTools.js';
import { safeMessage } from '../failures/safeMessage.js';

/** Shortest time between two notices that are passed on, in milliseconds. */
const intervalMs = 200;

/**
 * Passes a server's notices of progress on: not more often than every 200 ms, only such that go forward, as the protocol
 * demands, and with the server's words made safe. What comes in between is dropped.
 * @param secrets in use at that moment
 * @param now milliseconds of a clock that never goes back
 */
export function passProgress(to: (progress: CallProgress) => void, secrets: () => readonly string[], now: () => number = () => performance.now()): (progress: Progress) => void {
  let last = Number.NEGATIVE_INFINITY;
  let furthest = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message }) => {
    const at = now();
    if (at - last < intervalMs || !(progress > furthest)) return;
    last = at;
    furthest = progress;
    to({ progress, total: total ?? null, message: message === undefined ? null : safeMessage(message, secrets()) });
  };
}
