import { join } from 'node:path';
import { openSqliteStore } from '../dist/events/sqlite/openSqliteStore.js';
import { systemClock } from '../dist/platform/time/clock.js';
import { interleave, median, medianRatio, missing, percentile, row } from './measure.mjs';
import { ownAppends } from './ownAppends.mjs';
import { openPeer, peerMissing } from './peer.mjs';
import { openRawLoop } from './rawLoop.mjs';

const rounds = 7;
const loads = [
  { bar: 2, callers: 1, rows: 1_000, peerRows: 100, overRaw: 0.5, overPeer: 5 },
  { bar: 1, callers: 64, rows: 16_384, peerRows: 100, overRaw: 0.45, overPeer: 25 },
  { bar: 1, callers: 512, rows: 32_768, peerRows: 0, overRaw: 0.45, overPeer: null },
];

/** Bars 1 and 2: durable appends against a loop of plain inserts and against the peer. */
export async function measure({ directory, note }) {
  const at = directory('appends');
  const raw = openRawLoop(join(at, 'raw.db'));
  const store = await openSqliteStore({ file: join(at, 'ledger.db'), clock: systemClock });
  const peer = openPeer(join(at, 'peer.db'));
  const rows = [];
  for (const { bar, callers, rows: total, peerRows, overRaw, overPeer } of loads) {
    note(`appends, ${callers} at once`);
    const latencies = [];
    const speeds = await interleave(
      {
        raw: async () => raw.run(total, callers),
        own: async (round) => {
          const run = await ownAppends(store, total, callers);
          if (round > 0) latencies.push(...run.latencies);
          return run.perSecond;
        },
        ...(peer !== null && peerRows > 0 ? { peer: () => peer.append(peerRows, callers) } : {}),
      },
      rounds,
    );
    const name = callers === 1 ? 'appends, one caller' : `appends, ${callers} callers`;
    const perSecond = Object.fromEntries(Object.entries(speeds).map(([who, values]) => [who, median(values)]));
    rows.push(row(bar, `${name} ÷ raw loop`, medianRatio(speeds.own, speeds.raw), { least: overRaw, unit: '×', details: { perSecond } }));
    if (overPeer !== null) {
      const measureName = `${name} ÷ emmett-sqlite`;
      rows.push(
        speeds.peer === undefined
          ? missing(bar, measureName, peerMissing)
          : row(bar, measureName, medianRatio(speeds.own, speeds.peer), { least: overPeer, unit: '×' }),
      );
    }
    rows.push(row(bar, `${name}, p50`, percentile(latencies, 0.5), { unit: ' ms', details: { p99: percentile(latencies, 0.99) } }));
  }
  peer?.close();
  raw.close();
  await store.close();
  return rows;
}
