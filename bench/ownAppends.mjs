import { sampleEvent, sampleStream } from './sampleEvents.mjs';

/**
 * Appends `total` events of the usual size, each to a stream of its own, from `callers` callers at once who each wait
 * for one append before the next.
 * @returns appends a second, and how long each took in milliseconds
 */
export async function ownAppends(store, total, callers) {
  const appends = Array.from({ length: total }, () => [sampleStream(), 'noStream', [sampleEvent()]]);
  const latencies = [];
  const began = performance.now();
  const caller = async () => {
    for (let next = appends.pop(); next !== undefined; next = appends.pop()) {
      const asked = performance.now();
      await store.append(...next);
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { perSecond: (total * 1000) / (performance.now() - began), latencies };
}
