import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { row } from './measure.mjs';
import { sampleEvent, sampleStream } from './sampleEvents.mjs';
import { openStack } from './stack.mjs';
import { commonWord } from './vocabulary.mjs';

const seconds = 10;
const appendsASecond = 1_000;
const searchesASecond = 20;

/** Bar 3: how long the thread that holds connections is kept from them while appends, views and searches run. */
export async function measure({ seeds, note }) {
  const { directory } = await seeds.mixed();
  note('event loop delay');
  const stack = await openStack(directory);
  const idle = await watched(() => delay(3_000));
  let appended = 0;
  let searched = 0;
  const busy = await watched(async () => {
    const pending = [];
    const began = performance.now();
    for (let now = 0; now < seconds * 1000; now = performance.now() - began) {
      for (; appended < (now * appendsASecond) / 1000; appended += 1) pending.push(stack.store.append(sampleStream(), 'noStream', [sampleEvent()]));
      for (; searched < (now * searchesASecond) / 1000; searched += 1) pending.push(search(stack.views, searched));
      await delay(2);
    }
    await Promise.all(pending);
  });
  const head = await stack.store.head();
  const caughtUp = performance.now();
  await stack.views.caughtUpTo(head.position);
  const details = { appended, searched, idle, busy, viewsBehindMs: performance.now() - caughtUp };
  await stack.close();
  return [row(3, `event loop delay, p99, ${appendsASecond} appends/s and searches`, busy.p99, { most: 10, unit: ' ms', details })];
}

function search(views, count) {
  const filters = [{}, { text: commonWord }, { tool: 'web_search' }, { text: commonWord, outcome: 'failed' }];
  return views.query('searchCalls', { limit: 50, order: 'newest', ...filters[count % filters.length] });
}

/** @returns the delays while `work` ran, in milliseconds */
async function watched(work) {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await work();
  histogram.disable();
  const ms = (nanoseconds) => nanoseconds / 1e6;
  return { p50: ms(histogram.percentile(50)), p99: ms(histogram.percentile(99)), max: ms(histogram.max) };
}
