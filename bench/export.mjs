import { dataFiles } from '../dist/app/dataFiles.js';
import { inChild } from './child.mjs';
import { interleave, median, medianRatio, row } from './measure.mjs';

const formats = ['jsonl', 'csv', 'cloudevents', 'ocsf'];

/** `audit export` of everything, sealed, in each form, against reading the same rows and `JSON.parse` of their data. */
export async function measure({ seeds, events, note }) {
  const { directory } = await seeds.mixed();
  const { ledger } = dataFiles(directory);
  const memory = [];
  const exported = (wish) => async () => {
    note(`export ${wish.format}`);
    const run = await inChild('exportChild.mjs', { directory, events, ...wish });
    memory.push(run.peakMemory);
    return run.events / run.seconds;
  };
  const contenders = {
    bare: async () => {
      const run = await inChild('scanChild.mjs', { file: ledger });
      return run.events / run.seconds;
    },
    ...Object.fromEntries(formats.map((format) => [format, exported({ format, conditions: {} })])),
    filtered: exported({ format: 'jsonl', conditions: { outcome: 'failed' } }),
  };
  const speeds = await interleave(contenders, events > 200_000 ? 2 : 3);
  const perSecond = Object.fromEntries(Object.entries(speeds).map(([name, values]) => [name, Math.round(median(values))]));
  return [
    ...formats.map((format) => row('–', `export as ${format} ÷ bare scan`, medianRatio(speeds[format], speeds.bare), { unit: '×', details: { perSecond } })),
    row('–', 'export as jsonl by outcome ÷ bare scan, events looked at', medianRatio(speeds.filtered, speeds.bare), { unit: '×' }),
    row('–', 'export, peak memory', Math.max(...memory), { unit: ' MB' }),
  ];
}
