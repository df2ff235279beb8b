import { missing, percentile, row, timed } from './measure.mjs';
import { searchMixes } from './searchMixes.mjs';
import { openStack } from './stack.mjs';

const rounds = 5;

/** Bar 7: the newest 50 calls by filter, through the thread that answers queries. */
export async function measure({ seeds, note }) {
  const seed = await seeds.calls();
  note('searches');
  const mixes = searchMixes(seed);
  if (new Set(mixes.map((mix) => JSON.stringify(mix))).size !== 100) return [missing(7, 'audit search', 'the list does not hold 100 mixes')];
  const stack = await openStack(seed.directory);
  const results = mixes.map((mix) => ({ mix, found: 0, times: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const result of results) {
      const took = await timed(async () => {
        result.found = (await stack.views.query('searchCalls', { ...result.mix, limit: 50, order: 'newest' })).calls.length;
      });
      result.times.push(took);
    }
  }
  await stack.close();
  const all = results.flatMap(({ times }) => times);
  const slowest = results
    .map(({ mix, found, times }) => ({ mix, found, p50: percentile(times, 0.5), most: Math.max(...times) }))
    .sort((a, b) => b.p50 - a.p50)
    .slice(0, 10);
  const details = { calls: seed.calls, empty: results.filter(({ found }) => found === 0).length, slowest };
  return [
    row(7, 'search over 100 filter mixes, p50', percentile(all, 0.5), { unit: ' ms', details }),
    row(7, 'search over 100 filter mixes, p95', percentile(all, 0.95), { most: 15, unit: ' ms' }),
    row(7, 'search over 100 filter mixes, p99', percentile(all, 0.99), { most: 50, unit: ' ms' }),
  ];
}
