import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkVault } from '../../../src/platform/vault/backup/copyVault.js';
import { openVault, type Vault } from '../../../src/platform/vault/vault.js';
import { openVaultReader } from '../../../src/platform/vault/vaultReader.js';

const ada = { kind: 'discord', id: '1' } as const;
const masterKey = Buffer.alloc(32, 5);

let directory: string;
let vault: Vault;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vault-backup-'));
  vault = open(join(directory, 'keys.db'));
});
afterEach(() => {
  vault.close();
  rmSync(directory, { recursive: true });
});

function open(file: string): Vault {
  return openVault({ file, masterKeyFile: join(directory, 'master.key'), masterKey: masterKey.toString('base64'), clock: { now: () => 3_000 } });
}

function backedUpAt(): number | null {
  const reader = openVaultReader({ file: join(directory, 'keys.db'), masterKeyFile: '', masterKey: masterKey.toString('base64') });
  try {
    return reader.backedUpAt();
  } finally {
    reader.close();
  }
}

describe('a backup of the keys', () => {
  it('is a file of its own that opens with the same master key, and that only its owner may read', async () => {
    const subject = await vault.subjectFor(ada);
    await vault.putSecret('ledger', 'sealing-key', 'secret');
    const file = join(directory, 'backup');
    expect(await vault.backUp(file)).toEqual({ people: 1, bytes: statSync(file).size });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).filter((name) => name.startsWith('backup'))).toEqual(['backup']);
    const copy = open(file);
    expect(await copy.findSubject(ada)).toBe(subject);
    expect(await copy.keyOf(subject)).toEqual(await vault.keyOf(subject));
    expect(await copy.getSecret('ledger', 'sealing-key')).toBe('secret');
    copy.close();
  });

  it('is remembered with its time', async () => {
    expect(backedUpAt()).toBeNull();
    await vault.backUp(join(directory, 'backup'));
    expect(backedUpAt()).toBe(3_000);
  });

  it('never replaces a file', async () => {
    const file = join(directory, 'backup');
    writeFileSync(file, 'precious');
    await expect(vault.backUp(file)).rejects.toMatchObject({ kind: 'usage', code: 'file_exists' });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(backedUpAt()).toBeNull();
  });

  it('says where it cannot be written, and leaves nothing', async () => {
    const file = join(directory, 'nowhere', 'backup');
    await expect(vault.backUp(file)).rejects.toMatchObject({ code: 'cannot_write_backup', details: { cause: 'ENOENT' } });
    expect(existsSync(join(directory, 'nowhere'))).toBe(false);
  });

  it('is checked from end to end: one changed byte of it, or another master key, is noticed', async () => {
    for (let id = 0; id < 200; id += 1) await vault.subjectFor({ kind: 'discord', id: String(id) });
    const file = join(directory, 'backup');
    await vault.backUp(file);
    expect(checkVault(file, [masterKey])).toBe(200);
    expect(() => checkVault(file, [Buffer.alloc(32)])).toThrow(expect.objectContaining({ code: 'wrong_master_key' }));
    writeFileSync(file, readFileSync(file).fill(0xff, 4_096, 4_200));
    expect(() => checkVault(file, [masterKey])).toThrow(expect.objectContaining({ kind: 'damaged' }));
  });
});
