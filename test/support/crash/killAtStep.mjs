// Loaded before the program (`--import`): kills the process with SIGKILL just before the step that KILL_AT_STEP numbers,
// and otherwise leaves how many steps there were in the file KILL_STEPS_FILE. Steps are calls that change files, waited
// for or not, and statements given to SQLite whole, but for what only reads or sets up a connection; those of all threads
// count together.
import { createRequire, syncBuiltinESMExports } from 'node:module';
import fs from 'node:fs';
import { isMainThread, setEnvironmentData, getEnvironmentData } from 'node:worker_threads';

const { KILL_AT_STEP, KILL_STEPS_FILE } = process.env;
const counter = isMainThread ? new Int32Array(new SharedArrayBuffer(4)) : getEnvironmentData('killAtStep');
if (isMainThread) setEnvironmentData('killAtStep', counter);
const writeFile = fs.writeFileSync;

function step() {
  if (Atomics.add(counter, 0, 1) === Number(KILL_AT_STEP)) process.kill(process.pid, 'SIGKILL');
}

/** Pragmas that change a file. */
const changing = /^(journal_mode|wal_checkpoint|(user_version|application_id) *=)/;

function always() {
  return true;
}

function opensToWrite(_file, flags) {
  return flags !== undefined && flags !== 'r';
}

/** @param changes whether a call with these arguments counts */
function counted(owner, names, changes = always) {
  for (const name of names) {
    const real = owner[name];
    owner[name] = function (...given) {
      if (changes(...given)) step();
      return real.apply(this, given);
    };
  }
}

const handle = await fs.promises.open('/dev/null');
await handle.close();
counted(Object.getPrototypeOf(handle), ['writeFile', 'sync', 'datasync']);
counted(fs.promises, ['open'], opensToWrite);
counted(fs.promises, ['rename', 'rm', 'mkdir']);
counted(fs, ['openSync'], opensToWrite);
counted(fs, ['writeSync', 'fsyncSync', 'renameSync', 'linkSync', 'rmSync', 'copyFileSync', 'writeFileSync', 'mkdirSync', 'truncateSync', 'unlinkSync']);
syncBuiltinESMExports();
const Database = createRequire(process.env.KILL_PROGRAM)('better-sqlite3');
counted(Database.prototype, ['exec', 'close']);
counted(Database.prototype, ['pragma'], (text) => changing.test(text));
if (isMainThread) process.on('exit', () => writeFile(KILL_STEPS_FILE, String(Atomics.load(counter, 0))));
