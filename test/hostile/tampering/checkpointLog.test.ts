import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { refuseCutLog } from '../../../src/reactors/sealing/checking/cutLog.js';
import { openSealFiles } from '../../../src/reactors/sealing/sealFiles.js';
import { openSealedLedger, origin, type SealedLedger } from '../../support/sealing/sealedLedger.js';
import { dyingAt } from '../../support/sealing/stoppedSealer.js';

let ledger: SealedLedger;
let lines: readonly string[];

beforeEach(async () => {
  ledger = await openSealedLedger();
  const sealer = ledger.sealer();
  for (let seals = 0; seals < 3; seals += 1) {
    await ledger.add(2);
    await sealer.seal(origin);
  }
  lines = readFileSync(ledger.checkpointLog, 'utf8').split(/(?<=\n)/);
});
afterEach(async () => {
  await ledger.close();
  ledger.remove();
});

const cut = { kind: 'damaged', code: 'checkpoint_log_cut', message: expect.stringContaining('CHECKPOINT_LOG') };

const attacks: readonly (readonly [what: string, attack: () => void])[] = [
  ['was emptied', () => writeFileSync(ledger.checkpointLog, '')],
  ['is gone', () => rmSync(ledger.checkpointLog)],
  ['is gone with its directory, as a volume that is not there', () => renameSync(join(ledger.directory, 'elsewhere'), join(ledger.directory, 'unmounted'))],
  ['lost its newest line', () => writeFileSync(ledger.checkpointLog, lines.slice(0, -1).join(''))],
  ['lost half of its newest line', () => writeFileSync(ledger.checkpointLog, lines.join('').slice(0, -50))],
  ['was replaced by an older copy', () => writeFileSync(ledger.checkpointLog, lines[0] ?? '')],
];

describe('a checkpoint log that', () => {
  it.each(attacks)('%s is noticed by the start and the verification, and never written to', async (_what, attack) => {
    attack();
    const before = await ledger.files.newestLogged();
    await expect(refuseCutLog(ledger.store, ledger.files)).rejects.toMatchObject(cut);
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'log', detail: expect.stringContaining(ledger.checkpointLog) });
    await ledger.add(1);
    await expect(ledger.sealer().seal(origin)).rejects.toMatchObject(cut);
    expect(await ledger.files.newestLogged()).toEqual(before);
  });

  it('lost lines at its beginning is noticed by the verification', async () => {
    writeFileSync(ledger.checkpointLog, lines.slice(1).join(''));
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'log', detail: expect.stringContaining('checkpoint of 2 events') });
  });

  it('is whole is left in peace', async () => {
    await expect(refuseCutLog(ledger.store, ledger.files)).resolves.toBeUndefined();
    expect((await ledger.verify()).damage).toBeNull();
  });

  it('lacks what a process that died had not written yet is completed by the next seal', async () => {
    await ledger.add(1);
    // Behind the record and before the log.
    await expect(ledger.sealer(dyingAt(ledger, 4).parts).seal(origin)).rejects.toMatchObject({ code: 'seal_not_published' });
    expect(await ledger.files.newestLogged()).toHaveLength(3);
    await expect(refuseCutLog(ledger.store, ledger.files)).resolves.toBeUndefined();
    expect((await ledger.verify()).damage).toBeNull();
    await ledger.sealer().seal(origin);
    expect(await ledger.files.newestLogged()).toHaveLength(4);
  });
});

describe('a checkpoint log that is named for the first time', () => {
  const elsewhere = () => openSealFiles(ledger.seals, join(ledger.directory, 'new', 'checkpoints.jsonl'));

  it('may be missing or hold anything of this ledger, until a seal names it', async () => {
    const files = elsewhere();
    await expect(refuseCutLog(ledger.store, files)).resolves.toBeUndefined();
    mkdirSync(join(ledger.directory, 'new'));
    appendFileSync(files.log.file, lines[0] ?? '');
    await expect(refuseCutLog(ledger.store, files)).resolves.toBeUndefined();
    await ledger.add(1);
    await ledger.sealer({ files }).seal(origin);
    rmSync(files.log.file);
    await expect(refuseCutLog(ledger.store, files)).rejects.toMatchObject(cut);
  });

  it('is how to go on when the one before is gone for good; the one before is asked for no more', async () => {
    rmSync(ledger.checkpointLog);
    const files = elsewhere();
    await ledger.add(1);
    const sealed = await ledger.sealer({ files }).seal(origin);
    expect(await files.newestLogged()).toHaveLength(2);
    expect(sealed?.seal.log).toBe(files.log.id);
    expect(sealed?.seal.log).not.toBe(ledger.files.log.id);
  });
});

describe('the log in the data directory', () => {
  it('may be removed with the seals: whoever can do that can rewrite everything beside it', async () => {
    const files = openSealFiles(ledger.seals, null);
    await ledger.add(1);
    expect((await ledger.sealer({ files }).seal(origin))?.seal.log).toBeNull();
    rmSync(ledger.seals, { recursive: true });
    await expect(refuseCutLog(ledger.store, files)).resolves.toBeUndefined();
  });
});
