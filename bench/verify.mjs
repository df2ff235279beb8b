import { dataFiles } from '../dist/app/dataFiles.js';
import { inChild } from './child.mjs';
import { interleave, median, medianRatio, row } from './measure.mjs';

/** Bar 8: `ledger verify` against a bare loop that reads the same rows and computes the same hashes. */
export async function measure({ seeds, events, note }) {
  const { directory } = await seeds.mixed();
  const { ledger } = dataFiles(directory);
  note('verify');
  const runs = [];
  const speeds = await interleave(
    {
      bare: async () => speedOf(await inChild('hashChild.mjs', { file: ledger })),
      verify: async () => {
        const run = await inChild('verifyChild.mjs', { file: ledger });
        runs.push(run);
        return speedOf(run);
      },
    },
    events > 200_000 ? 2 : 5,
  );
  const perSecond = { bare: median(speeds.bare), verify: median(speeds.verify) };
  const details = { perSecond, peakMemory: Math.max(...runs.map(({ peakMemory }) => peakMemory)) };
  return [row(8, 'verify ÷ bare loop with the same hashes', medianRatio(speeds.verify, speeds.bare), { least: 0.8, unit: '×', details })];
}

function speedOf({ events, seconds }) {
  return events / seconds;
}
