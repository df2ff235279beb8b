import { median, percentile, row, timed } from './measure.mjs';
import { sampleEvent, sampleStream } from './sampleEvents.mjs';
import { callOnce, openStack } from './stack.mjs';

/** Rounds before anything counts, until the code that runs is compiled. */
const warmUp = 600;
const rounds = 400;

/** Bar 4: what the ledger adds to a call of a built-in tool, in durable appends of our own. Everything runs, also the views. */
export async function measure({ directory, note }) {
  note('calls of built-in tools');
  const stack = await openStack(directory('calls'));
  const work = {
    append: () => stack.store.append(sampleStream(), 'noStream', [sampleEvent()]),
    readOnly: (round) => callOnce(stack, 'roll_dice', { notation: `4d6kh3+${round % 9}` }),
    effects: (round) => callOnce(stack, 'note_down', { line: `line ${round} of a benchmark` }),
  };
  const times = { append: [], readOnly: [], effects: [] };
  // One of each in turn, so that whatever the machine does meets all three.
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const [name, once] of Object.entries(work)) {
      const took = await timed(() => once(round));
      if (round >= warmUp) times[name].push(took);
    }
  }
  await stack.close();
  const base = median(times.append);
  const details = (name) => ({ p50: median(times[name]), p95: percentile(times[name], 0.95), appendP50: base });
  return [
    row(4, 'call of a tool with effects ÷ append, p50', median(times.effects) / base, { most: 2.3, unit: '×', details: details('effects') }),
    row(4, 'call of a read-only local tool ÷ append, p50', median(times.readOnly) / base, { most: 1.3, unit: '×', details: details('readOnly') }),
  ];
}
