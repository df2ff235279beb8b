// Tries to own the directory given as first argument, says how it went, and keeps it until its standard input ends.
import { acquireOwner } from '../../../dist/owner/lock.js';

const [directory, command, socket] = process.argv.slice(2);
const options = { command, socket: socket ?? null, pid: process.pid, clock: { now: () => 1_700_000_000_000 }, newId: () => `${process.pid}-${process.hrtime.bigint()}` };
const ownership = acquireOwner(directory, options);
process.stdout.write(`${JSON.stringify({ kind: ownership.kind, owner: ownership.owner ?? null, pid: process.pid })}\n`);
process.stdin.resume();
process.stdin.on('end', () => {
  if (ownership.kind === 'owned') ownership.release();
});
