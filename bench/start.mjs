import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { interleave, median, row } from './measure.mjs';

const program = fileURLToPath(new URL('../dist/program/app/bin.js', import.meta.url));
const rounds = 5;

/** Bar 9: from starting the program to being ready, with a full ledger and with an empty one. */
export async function measure({ seeds, directory, note }) {
  const full = await seeds.mixed();
  note('start to ready');
  const empty = directory('emptyStart');
  const memory = [];
  const times = await interleave(
    {
      empty: async () => (await start(empty)).milliseconds,
      full: async () => {
        const started = await start(full.directory);
        memory.push(started.memory);
        return started.milliseconds;
      },
    },
    rounds,
  );
  const details = { empty: median(times.empty), full: median(times.full) };
  const more = (details.full - details.empty) / 1000;
  return [
    row(9, `start to ready, more than with an empty ledger`, more, { most: 1.5, unit: ' s', details }),
    row(9, 'memory when ready', Math.max(...memory), { most: 250, unit: ' MB' }),
  ];
}

/** Starts `serve`, waits until it says that it runs, looks at its memory, and stops it. */
async function start(directory) {
  const began = performance.now();
  const child = spawn(process.execPath, [program, 'serve', '--data', directory], {
    env: { PATH: process.env.PATH, TOOLLEDGER_PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const said = [];
  const ready = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        said.push(line);
        if (line.includes('is running')) resolve();
      });
    }
  });
  await Promise.race([ready, exited.then(() => Promise.reject(new Error(`serve ended before it was ready: ${said.join('\n')}`)))]);
  const milliseconds = performance.now() - began;
  const memory = memoryOf(child.pid);
  child.kill('SIGTERM');
  await exited;
  return { milliseconds, memory };
}

/** Resident memory of a process in MB; Linux only, NaN elsewhere. */
function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
