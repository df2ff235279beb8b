// npm run bench [-- --events N] [--calls N] [--only name,name] [--data DIR]: measures what docs/benchmarks.md lists.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { missing, rounded } from './measure.mjs';
import { seed } from './seed.mjs';
import { showTable } from './table.mjs';

/** In this order: the ones that append much to a seeded ledger come last. */
const benchmarks = ['appends', 'calls', 'mcpCall', 'gather', 'sealing', 'verify', 'export', 'rebuild', 'start', 'search', 'loopDelay', 'growth'];

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    calls: { type: 'string' },
    only: { type: 'string' },
    data: { type: 'string' },
  },
});
const events = wholeNumber('events', options.events);
const calls = wholeNumber('calls', options.calls ?? options.events);
const chosen = options.only === undefined ? benchmarks : options.only.split(',');
const unknown = chosen.find((name) => !benchmarks.includes(name));
if (unknown !== undefined) stop(`--only was given "${unknown}"; allowed are ${benchmarks.join(', ')}.`);

// On the project's own disk: a temporary directory may lie in memory, where nothing is durable.
const place = resolve(options.data ?? fileURLToPath(new URL('data', import.meta.url)));
const note = progressLine();
const context = {
  events,
  note,
  /** An empty directory. */
  directory(name) {
    const made = join(place, name);
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made, { recursive: true });
    return made;
  },
  seeds: {
    sizes: [...new Set([10_000, 100_000, events].filter((size) => size <= events))].sort((a, b) => a - b),
    ofSize: (size) => seed(join(place, `mixed-${size}`), 'mixed', size, note),
    mixed: () => context.seeds.ofSize(events),
    calls: () => seed(join(place, `calls-${calls}`), 'calls', calls, note),
  },
};

const began = new Date();
const rows = [];
try {
  for (const name of chosen) {
    try {
      const { measure } = await import(`./${name}.mjs`);
      rows.push(...(await measure(context)));
    } catch (error) {
      rows.push(missing('?', name, `failed: ${error.message}`));
      process.exitCode = 1;
    }
  }
} finally {
  note('');
  // Seeded ledgers are gigabytes; they are kept only where somebody asked for them.
  if (options.data === undefined) rmSync(place, { recursive: true, force: true });
}

process.stdout.write(`${showTable(rows)}\n`);
const results = fileURLToPath(new URL('results', import.meta.url));
mkdirSync(results, { recursive: true });
const file = join(results, `${began.toISOString().slice(0, 19).replaceAll(':', '')}.json`);
const machine = { node: process.versions.node, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
const seconds = Math.round((Date.now() - began.getTime()) / 1000);
writeFileSync(file, `${JSON.stringify({ at: began.toISOString(), seconds, machine, events, calls, rows }, rounding, 2)}\n`);
process.stdout.write(`${seconds} s, ${events} events, Node.js ${machine.node}, ${machine.cores} × ${machine.cpu}. Details in ${file}.\n`);
// A benchmark that failed may have left threads behind.
process.exit();

function rounding(_key, value) {
  return typeof value === 'number' && !Number.isInteger(value) ? rounded(value) : value;
}

function wholeNumber(name, given) {
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1_000 || number > 100_000_000) stop(`--${name} was given "${given}"; allowed is a whole number from 1000 to 100000000.`);
  return number;
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/** Says on one line what is going on, when somebody looks. */
function progressLine() {
  return (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  };
}
