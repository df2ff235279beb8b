import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFiles } from '../dist/app/dataFiles.js';
import { Writer } from '../dist/events/sqlite/writing/writer.js';
import { ledgerFormat } from '../dist/events/sqlite/schema.js';
import { openDatabase } from '../dist/platform/sqlite/openDatabase.js';
import { openVault } from '../dist/platform/vault/vault.js';
import { allProjections } from '../dist/projections/allProjections.js';
import { putInPlace } from '../dist/projections/readModel/readModelFile.js';
import { buildTemporaries } from '../dist/projections/rebuilding/viewRebuild.js';
import { history, historyBegins } from './history.mjs';
import { randomBytes, seededIds, seededRandom } from './random.mjs';
import { ledgerAccess } from './stack.mjs';

const people = 200;
const appendsAtOnce = 1_000;

/**
 * A data directory with a made-up history, as the product would have written it, and current views. Made once and then
 * found again; whoever appends to it does so for everybody after.
 * @param directory where it lies
 * @param mix see `history`
 * @param size number of events, or for the mix `calls` number of calls
 * @param note told how it goes
 * @returns `{directory, subjects, events, begins, ends}`: the subjects (the first is the operator) and the times of the
 *   first and the last event
 */
export async function seed(directory, mix, size, note) {
  const manifest = join(directory, 'seed.json');
  if (!existsSync(manifest)) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    const made = await write(directory, mix, size, note);
    await buildViews(directory, note);
    writeFileSync(manifest, JSON.stringify(made));
  }
  return { directory, ...JSON.parse(readFileSync(manifest, 'utf8')) };
}

async function write(directory, mix, size, note) {
  const files = dataFiles(directory);
  const keys = await meetPeople(files);
  const db = openDatabase(files.ledger, 'writer', ledgerFormat);
  // Fewer, larger checkpoints; what is durable when is of no interest here.
  db.pragma('wal_autocheckpoint = 20000');
  const writer = new Writer(db);
  let events = 0;
  let calls = 0;
  let ends = historyBegins;
  let waiting = [];
  const commit = () => {
    const failed = writer.commit(waiting).find((outcome) => 'code' in outcome);
    if (failed !== undefined) throw new Error(`seeding failed: ${JSON.stringify(failed)}`);
    waiting = [];
  };
  for (const append of history(keys, mix)) {
    waiting.push(append);
    events += append.events.length;
    ends = append.now;
    if (append.expected === 'noStream' && append.stream.startsWith('toolCall-')) calls += 1;
    const enough = (mix === 'calls' ? calls : events) >= size;
    if (waiting.length >= appendsAtOnce || enough) {
      commit();
      note(`seeding ${events} events, ${calls} calls`);
    }
    if (enough) break;
  }
  writer.close();
  return { subjects: [...keys.keys()], events, calls, begins: historyBegins, ends };
}

/** Makes the keys of everybody who occurs, the same ones every time. */
async function meetPeople(files) {
  const random = seededRandom(11);
  const ids = seededIds(random);
  const vault = openVault({
    file: files.keys,
    masterKeyFile: files.masterKey,
    masterKey: null,
    clock: { now: () => historyBegins },
    newId: () => ids(historyBegins),
    randomBytes: (size) => randomBytes(random, size),
  });
  try {
    const keys = new Map();
    for (let person = 0; person < people; person += 1) {
      const identity = person === 0 ? { kind: 'operator', id: 'local' } : { kind: 'discord', id: String(300_000_000_000_000_000n + BigInt(person)) };
      const subject = await vault.subjectFor(identity);
      keys.set(subject, await vault.keyOf(subject));
    }
    return keys;
  } finally {
    vault.close();
  }
}

/** @returns the subjects of a seed with their keys */
export async function seedKeys({ directory, subjects }) {
  const files = dataFiles(directory);
  const vault = openVault({ file: files.keys, masterKeyFile: files.masterKey, masterKey: null, clock: { now: () => historyBegins } });
  try {
    const keys = await Promise.all(subjects.map((subject) => vault.keyOf(subject)));
    return new Map(subjects.map((subject, index) => [subject, keys[index]]));
  } finally {
    vault.close();
  }
}

async function buildViews(directory, note) {
  const access = ledgerAccess(directory);
  mkdirSync(access.directory, { recursive: true });
  const projections = allProjections({ callText: true });
  const names = projections.map(({ name }) => name);
  await buildTemporaries(access, names, ({ views, done, total }) => note(`building ${views[0]} ${done}/${total}`), new globalThis.AbortController().signal);
  for (const projection of projections) putInPlace(access.directory, projection);
}
