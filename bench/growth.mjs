import { toolSettingsDecider, toolSettingsStream } from '../dist/commands/toolSettings.js';
import { verifyLedger } from '../dist/events/sqlite/verifying/verifyLedger.js';
import { dataFiles } from '../dist/app/dataFiles.js';
import { inChild } from './child.mjs';
import { interleave, median, row, timed } from './measure.mjs';
import { sampleEvent, sampleStream } from './sampleEvents.mjs';
import { searchMixes } from './searchMixes.mjs';
import { callOnce, openStack } from './stack.mjs';

const rounds = 7;
const operations = 100;
const eventsAtOnce = 10;

/** Bar 10: what grows with the ledger and with a stream, and what must not. */
export async function measure(context) {
  return [...(await withLedger(context)), ...(await withStream(context)), ...(await linear(context))];
}

/** Appends, calls and searches on small, middling and large ledgers, opened side by side. */
async function withLedger({ seeds, note }) {
  const ledgers = [];
  for (const size of seeds.sizes) {
    const seed = await seeds.ofSize(size);
    ledgers.push({ size, stack: await openStack(seed.directory), mixes: searchMixes(seed) });
  }
  note('growth with the ledger');
  const works = {
    append: ({ stack }) => stack.store.append(sampleStream(), 'noStream', [sampleEvent()]),
    call: ({ stack }) => callOnce(stack, 'roll_dice', { notation: '4d6kh3+2' }),
    search: ({ stack, mixes }, count) => stack.views.query('searchCalls', { ...mixes[count % mixes.length], limit: 50, order: 'newest' }),
  };
  const rows = [];
  for (const [name, work] of Object.entries(works)) {
    const medians = await interleave(Object.fromEntries(ledgers.map((ledger) => [ledger.size, () => medianOf((count) => work(ledger, count))])), rounds);
    rows.push(growthRow(`${name}, p50`, medians));
  }
  for (const { stack } of ledgers) await stack.close();
  return rows;
}

/** Appends and commands on short and long streams. */
async function withStream({ directory, note }) {
  note('growth with a stream');
  const stack = await openStack(directory('streams'));
  const streams = [];
  for (const length of [10, 10_000]) {
    const workspace = `g${length}`;
    const origin = { ...stack.origin, workspace };
    let on = false;
    const toggle = (times = 1) => {
      const commands = Array.from({ length: times }, () => ({ type: 'SetSwitch', tool: 'roll_dice', on: (on = !on) }));
      return stack.handler.execute(toolSettingsDecider, toolSettingsStream(workspace), commands, origin);
    };
    const stream = sampleStream();
    let revision = 'noStream';
    const append = async (times = 1) => {
      const events = Array.from({ length: times }, () => sampleEvent(workspace));
      revision = (await stack.store.append(stream, revision, events)).revision;
    };
    for (let made = 0; made < length; made += eventsAtOnce) {
      await toggle(eventsAtOnce);
      await append(eventsAtOnce);
    }
    streams.push({ length, append: () => append(), toggle: () => toggle() });
  }
  const rows = [];
  for (const name of ['append', 'toggle']) {
    const medians = await interleave(Object.fromEntries(streams.map((stream) => [stream.length, () => medianOf(stream[name])])), rounds);
    rows.push(growthRow(`${name === 'append' ? 'append' : 'command'} to a stream, p50`, medians));
  }
  await stack.close();
  return rows;
}

/** Time per event of what reads the whole ledger. */
async function linear({ seeds, note }) {
  const perEvent = { rebuild: {}, verify: {} };
  for (const size of seeds.sizes.slice(-2)) {
    const { directory } = await seeds.ofSize(size);
    note(`growth of rebuild and verify, ${size} events`);
    const run = await inChild('rebuildChild.mjs', { directory, views: [] });
    perEvent.rebuild[size] = [run.seconds / run.events];
    let events = 0;
    const took = await timed(async () => {
      ({ events } = await verifyLedger(dataFiles(directory).ledger, () => undefined, new globalThis.AbortController().signal));
    });
    perEvent.verify[size] = [took / 1000 / events];
  }
  return Object.entries(perEvent).map(([name, values]) => growthRow(`${name}, time an event`, values));
}

function growthRow(name, values) {
  const sizes = Object.keys(values);
  const medians = sizes.map((size) => median(values[size]));
  const span = `${short(sizes[0])} → ${short(sizes.at(-1))}`;
  return row(10, `growth of ${name}, ${span}`, medians.at(-1) / medians[0], { most: 1.3, unit: '×', details: { sizes, medians } });
}

function short(size) {
  return Number(size) >= 1_000_000 ? `${Number(size) / 1_000_000} M` : Number(size) >= 1_000 ? `${Number(size) / 1_000} k` : size;
}

async function medianOf(work) {
  const times = [];
  for (let count = 0; count < operations; count += 1) times.push(await timed(() => work(count)));
  return median(times);
}
