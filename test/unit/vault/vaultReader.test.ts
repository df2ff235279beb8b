import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openVault, type Vault } from '../../../src/platform/vault/vault.js';
import { openVaultReader } from '../../../src/platform/vault/vaultReader.js';

const ada = { kind: 'discord', id: '123456789012345678' } as const;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vault-reader-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const source = () => ({ file: join(directory, 'keys.db'), masterKeyFile: join(directory, 'master.key'), masterKey: null });

async function withVault(work: (vault: Vault) => Promise<void>): Promise<void> {
  const vault = openVault({ ...source(), clock: { now: () => 1_000 } });
  try {
    await work(vault);
  } finally {
    vault.close();
  }
}

describe('a vault reader', () => {
  it('gives the keys the vault gives, also of subjects that come later', async () => {
    await withVault(async (vault) => {
      const early = await vault.subjectFor(ada);
      const reader = openVaultReader(source());
      const late = await vault.subjectFor({ kind: 'discord', id: '2' });
      expect(reader.keyOf(early)).toEqual(await vault.keyOf(early));
      expect(reader.keyOf(late)).toEqual(await vault.keyOf(late));
      reader.close();
    });
  });

  it('has no key for an unknown subject, nor for one erased after its key was read', async () => {
    await withVault(async (vault) => {
      const subject = await vault.subjectFor(ada);
      const reader = openVaultReader(source());
      expect(reader.keyOf('nobody')).toBeNull();
      expect(reader.keyOf(subject)).not.toBeNull();
      const other = new Database(source().file);
      other.prepare('UPDATE subjects SET wrapped_key = NULL, destroyed_at = 2000').run();
      other.close();
      expect(reader.keyOf(subject)).toBeNull();
      reader.close();
    });
  });

  it('of a vault that does not exist has no keys and makes nothing', () => {
    const reader = openVaultReader(source());
    expect(reader.keyOf('anybody')).toBeNull();
    reader.close();
    expect(existsSync(source().file) || existsSync(source().masterKeyFile)).toBe(false);
  });

  it('needs the right master key', async () => {
    await withVault(async (vault) => {
      await vault.subjectFor(ada);
    });
    expect(() => openVaultReader({ ...source(), masterKey: Buffer.alloc(32).toString('base64') })).toThrow(expect.objectContaining({ code: 'wrong_master_key' }));
    rmSync(source().masterKeyFile);
    expect(() => openVaultReader(source())).toThrow(expect.objectContaining({ code: 'missing_master_key' }));
  });
});
