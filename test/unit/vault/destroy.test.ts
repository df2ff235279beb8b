import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { openVault, type Vault } from '../../../src/platform/vault/vault.js';

const ada = { kind: 'discord', id: '1' } as const;
const bob = { kind: 'discord', id: '2' } as const;
const stranger = '00000000-0000-4000-8000-000000000001';

let directory: string;
let vault: Vault;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vault-destroy-'));
  vault = open();
});
afterEach(() => {
  vault.close();
  rmSync(directory, { recursive: true });
});

const file = (): string => join(directory, 'keys.db');

function open(): Vault {
  return openVault({ file: file(), masterKeyFile: join(directory, 'master.key'), masterKey: null, clock: { now: () => 2_000 } });
}

function bytes(): Buffer {
  return Buffer.concat(readdirSync(directory).map((name) => readFileSync(join(directory, name))));
}

/** What the file holds of a subject, sealed. */
function sealedOf(subject: string): readonly Buffer[] {
  const db = new Database(file(), { readonly: true });
  const key = db.prepare<[string], Buffer>('SELECT wrapped_key FROM subjects WHERE subject = ?').pluck().get(subject);
  const identity = db.prepare<[string], { lookup: Buffer; sealed_identity: Buffer }>('SELECT lookup, sealed_identity FROM identities WHERE subject = ?').get(subject);
  db.close();
  return [key, identity?.lookup, identity?.sealed_identity].filter((part) => part !== undefined);
}

describe('destroying a subject', () => {
  it('leaves no key, no way from the person to the subject, and no byte of either in the files', async () => {
    const subject = await vault.subjectFor(ada);
    // Many others, so that pages are split and rows move.
    for (let id = 10; id < 300; id += 1) await vault.subjectFor({ kind: 'discord', id: String(id) });
    const sealed = sealedOf(subject);
    expect(sealed.map((part) => bytes().includes(part))).toEqual([true, true, true]);
    expect(await vault.destroySubjects([subject])).toBe(true);
    expect(await vault.keyOf(subject)).toBeNull();
    expect(await vault.findSubject(ada)).toBeNull();
    expect(sealed.map((part) => bytes().includes(part))).toEqual([false, false, false]);
  });

  it('leaves others as they are', async () => {
    const [mine, other] = [await vault.subjectFor(ada), await vault.subjectFor(bob)];
    const key = Buffer.from((await vault.keyOf(other)) ?? []);
    await vault.destroySubjects([mine]);
    expect(Buffer.from((await vault.keyOf(other)) ?? [])).toEqual(key);
    expect(await vault.findSubject(bob)).toBe(other);
  });

  it('gives the person a new id when they come back', async () => {
    const before = await vault.subjectFor(ada);
    await vault.destroySubjects([before]);
    const after = await vault.subjectFor(ada);
    expect(after).not.toBe(before);
    expect(await vault.keyOf(before)).toBeNull();
    expect(await vault.keyOf(after)).not.toBeNull();
  });

  it('enters who is not known, so that older keys know them as destroyed too', async () => {
    expect(await vault.knows(stranger)).toBe(false);
    await vault.destroySubjects([stranger]);
    expect(await vault.knows(stranger)).toBe(true);
    expect(await vault.keyOf(stranger)).toBeNull();
  });

  it('changes nothing when it is done already', async () => {
    const subject = await vault.subjectFor(ada);
    await vault.destroySubjects([subject]);
    const log = () => [file(), `${file()}-wal`].map((name) => readFileSync(name));
    const before = log();
    await vault.destroySubjects([subject]);
    expect(log()).toEqual(before);
  });

  it('says when a reader keeps old pages, and sweeps them out at the next call, also after a restart', async () => {
    const subject = await vault.subjectFor(ada);
    const sealed = sealedOf(subject);
    const reader = new Database(file(), { readonly: true });
    const rows = reader.prepare('SELECT * FROM subjects UNION ALL SELECT * FROM subjects').iterate();
    rows.next();
    expect(await vault.destroySubjects([subject])).toBe(false);
    expect(await vault.keyOf(subject)).toBeNull();
    rows.return?.();
    reader.close();
    vault.close();
    vault = open();
    expect(await vault.destroySubjects([])).toBe(true);
    expect(sealed.some((part) => bytes().includes(part))).toBe(false);
  });
});
