import { join } from 'node:path';
import { dataFiles } from '../dist/app/dataFiles.js';
import { inChild } from './child.mjs';
import { interleave, median, missing, row } from './measure.mjs';
import { peerInstalled, peerMissing } from './peer.mjs';

// The peer's rate does not grow with size, and a million would take longer than all other benchmarks together.
const peerEvents = 20_000;

/** Bar 6: building every view anew against reading and parsing the same rows, and one view against the peer's. */
export async function measure({ seeds, directory, events, note }) {
  const seed = await seeds.mixed();
  const { ledger } = dataFiles(seed.directory);
  note('rebuild of all views');
  const runs = [];
  const speeds = await interleave(
    {
      scan: async () => speedOf(await inChild('scanChild.mjs', { file: ledger })),
      rebuild: async (round) => {
        // The scan before has warmed the file, and a rebuild is long enough not to need warming up.
        if (round === 0) return 0;
        const run = await inChild('rebuildChild.mjs', { directory: seed.directory, views: [] });
        runs.push(run);
        return speedOf(run);
      },
    },
    events > 200_000 ? 1 : 3,
  );
  const details = { scanPerSecond: median(speeds.scan), rebuildPerSecond: median(speeds.rebuild), runs };
  const rows = [
    row(6, 'rebuild of all views ÷ scan and JSON.parse', median(speeds.rebuild) / median(speeds.scan), { least: 0.3, unit: '×', details }),
    row(6, 'rebuild, longest time without progress', Math.max(...runs.map(({ longestGap }) => longestGap)), { most: 250, unit: ' ms' }),
    row(6, 'rebuild, peak memory', Math.max(...runs.map((run) => run.peakMemory)), { most: 400, unit: ' MB' }),
  ];
  const againstPeer = 'rebuild of the call log ÷ the same rows with emmett-sqlite';
  if (!peerInstalled) return [...rows, missing(6, againstPeer, peerMissing)];
  note('rebuild of the call log');
  const own = speedOf(await inChild('rebuildChild.mjs', { directory: seed.directory, views: ['toolCallLog'] }));
  note('rebuild of the call log with emmett-sqlite');
  const file = join(directory('peerRebuild'), 'peer.db');
  const peer = speedOf(await inChild('peerRebuildChild.mjs', { file, seed, size: Math.min(events, peerEvents) }));
  return [...rows, row(6, againstPeer, own / peer, { least: 1, unit: '×', details: { ownPerSecond: own, peerPerSecond: peer } })];
}

function speedOf({ events, seconds }) {
  return events / seconds;
}
