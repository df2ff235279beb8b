// Becomes the owner of a directory and lets go again, so many rounds, and counts how often somebody else was in at the same time.
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { acquireOwner } from '../../../dist/owner/lock.js';

const [directory, rounds] = process.argv.slice(2);
const inside = join(directory, 'inside');
let id = 0;
const options = { command: 'contend', socket: null, pid: process.pid, clock: { now: () => 0 }, newId: () => `${process.pid}-${++id}` };
const counts = { owned: 0, together: 0 };
while (counts.owned < Number(rounds)) {
  const ownership = acquireOwner(directory, options);
  if (ownership.kind === 'busy') continue;
  counts.owned++;
  try {
    mkdirSync(inside);
    rmdirSync(inside);
  } catch {
    counts.together++;
  }
  ownership.release();
}
process.stdout.write(JSON.stringify(counts));
