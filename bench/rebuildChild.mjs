import { answer, given, peakMemory } from './child.mjs';
import { openStack } from './stack.mjs';

const { directory, views } = given();
const stack = await openStack(directory);
const head = await stack.store.head();
await stack.views.caughtUpTo(head.position);
let heard = performance.now();
let longestGap = 0;
const began = heard;
const progress = () => {
  const now = performance.now();
  longestGap = Math.max(longestGap, now - heard);
  heard = now;
};
const reports = await stack.views.rebuild(views, progress, new globalThis.AbortController().signal);
progress();
const seconds = (performance.now() - began) / 1000;
await stack.close();
answer({ seconds, events: reports[0].events, longestGap, peakMemory: peakMemory(), views: reports.map(({ name, seconds: took }) => [name, took]) });
