import { given } from './child.mjs';
import { openPeerStore, peerEvent } from './peerStore.mjs';
import { sampleEvent, sampleStream } from './sampleEvents.mjs';

const { append } = await openPeerStore(given().file);

process.on('message', async ({ total, callers }) => {
  const appends = Array.from({ length: total }, () => [sampleStream(), [peerEvent(sampleEvent())], 0n]);
  const began = performance.now();
  const caller = async () => {
    for (let next = appends.pop(); next !== undefined; next = appends.pop()) await append(...next);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  process.send((total * 1000) / (performance.now() - began));
});
