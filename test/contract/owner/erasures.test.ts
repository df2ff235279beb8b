import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { applyErasures, readErasures } from '../../../src/app/owner/erasures.js';
import { ledgerPrivacyStream } from '../../../src/commands/ledgerPrivacy.js';
import { memoryStore } from '../../../src/events/memory/memoryStore.js';
import { openVault, type Vault } from '../../../src/platform/vault/vault.js';
import { testEvent } from '../../support/events.js';
import { watchedStore, type WatchedStore } from '../../support/watchedStore.js';

const clock = { now: () => 2_000 };

let directory: string;
let ledger: WatchedStore;
let vault: Vault;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'erasures-'));
  ledger = newLedger();
  vault = openKeys();
});
afterEach(() => {
  vault.close();
  rmSync(directory, { recursive: true });
});

const keys = (): string => join(directory, 'keys.db');
const backup = (): string => join(directory, 'backup.db');
const newLedger = (): WatchedStore => watchedStore(memoryStore({ clock }));

function openKeys(): Vault {
  return openVault({ file: keys(), masterKeyFile: join(directory, 'master.key'), masterKey: null, clock });
}

/** Puts a copy in the place of the keys, as somebody does by hand. */
function putBack(copy: string): void {
  vault.close();
  for (const suffix of ['-wal', '-shm']) rmSync(`${keys()}${suffix}`, { force: true });
  copyFileSync(copy, keys());
  vault = openKeys();
}

const person = (id: number): Promise<string> => vault.subjectFor({ kind: 'discord', id: String(id) });
let events = 0;

async function recorded(type: string, data: object): Promise<void> {
  const stored = await ledger.readStream(ledgerPrivacyStream, 0, 1_000);
  await ledger.append(ledgerPrivacyStream, stored.length === 0 ? 'noStream' : stored.length - 1, [testEvent((events += 1), { type, data: JSON.stringify(data) })]);
}

const erased = (subject: string): Promise<void> => recorded('SubjectErased', { subject });

/** What every start does. @returns who it found to be erased */
async function start(): Promise<readonly string[]> {
  const erasures = await readErasures(ledger, vault);
  await applyErasures(ledger, vault, erasures);
  return erasures.erased;
}

describe('a start', () => {
  it('carries out what was erased, whenever a process died on the way', async () => {
    const ada = await person(1);
    await erased(ada);
    expect(await start()).toEqual([ada]);
    expect(await vault.keyOf(ada)).toBeNull();
  });

  it('reads only what came after the last start, however much there was before', async () => {
    for (let id = 1; id <= 5; id += 1) await erased(await person(id));
    await start();
    ledger.reads.splice(0);
    expect(await start()).toEqual([]);
    expect(ledger.reads).toEqual([{ stream: ledgerPrivacyStream, from: 4 }, { stream: ledgerPrivacyStream, from: 5 }]);
    const late = await person(6);
    await erased(late);
    expect(await start()).toEqual([late]);
    expect(await vault.keyOf(late)).toBeNull();
  });

  it('carries out again exactly what a backup of the keys does not know', async () => {
    const [ada, bob] = [await person(1), await person(2)];
    await erased(ada);
    await start();
    await vault.backUp(backup());
    await erased(bob);
    await start();
    putBack(backup());
    expect(await vault.keyOf(bob)).not.toBeNull();
    expect(await start()).toEqual([bob]);
    expect(await vault.keyOf(bob)).toBeNull();
  });

  it('reads everything of a ledger that was put back and has gone on otherwise', async () => {
    const [ada, bob, eve] = [await person(1), await person(2), await person(3)];
    for (const subject of [ada, bob]) await erased(subject);
    await start();
    ledger = newLedger();
    expect(await start()).toEqual([]);
    await erased(ada);
    await erased(eve);
    expect(await start()).toEqual([ada, eve]);
    expect(await vault.keyOf(eve)).toBeNull();
  });

  it('reads everything when fewer people are destroyed than once were: a newer log lay beside older keys', async () => {
    const [ada, bob] = [await person(1), await person(2)];
    for (const subject of [ada, bob]) await erased(subject);
    await start();
    vault.close();
    const db = new Database(keys());
    db.prepare('UPDATE subjects SET wrapped_key = ?, destroyed_at = NULL WHERE subject = ?').run(Buffer.alloc(60), bob);
    db.close();
    vault = openKeys();
    expect(await start()).toEqual([ada, bob]);
    expect(await vault.keyOf(bob)).toBeNull();
  });

  it('knows up to where keys were given up, also when that was long ago', async () => {
    await recorded('KeyLossAccepted', { subjects: 0, upTo: '7' });
    await start();
    await recorded('SubjectReleased', { subject: await person(1) });
    await start();
    expect(await readErasures(ledger, vault)).toMatchObject({ erased: [], lostUpTo: '7' });
  });
});
