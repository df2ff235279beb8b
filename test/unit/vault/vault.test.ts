import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Fault } from '../../../src/platform/fault.js';
import { openVault, type Vault } from '../../../src/platform/vault/vault.js';

const ada = { kind: 'discord', id: '123456789012345678' } as const;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let directory: string;
let open: Vault[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vault-'));
  open = [];
});
afterEach(() => {
  for (const vault of open) vault.close();
  rmSync(directory, { recursive: true });
});

const keysFile = () => join(directory, 'keys.db');
const masterKeyFile = () => join(directory, 'master.key');

function vault(masterKey: string | null = null): Vault {
  const opened = openVault({ file: keysFile(), masterKeyFile: masterKeyFile(), masterKey, clock: { now: () => 1_000 } });
  open.push(opened);
  return opened;
}

function close(...vaults: Vault[]): void {
  for (const each of vaults) each.close();
  open = open.filter((each) => !vaults.includes(each));
}

function reopened(before: Vault): Vault {
  close(before);
  return vault();
}

function faultFrom(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('expected a Fault');
}

/** Every byte of every file in the data directory but the master key, as it lies there while the vault is open. */
function bytesOnDisk(): Buffer {
  const files = readdirSync(directory).filter((name) => name !== 'master.key');
  return Buffer.concat(files.map((name) => readFileSync(join(directory, name))));
}

describe('subjects', () => {
  it('gives a person one random id for ever', async () => {
    const first = vault();
    const subject = await first.subjectFor(ada);
    expect(subject).toMatch(uuid);
    expect(await reopened(first).subjectFor(ada)).toBe(subject);
  });

  it('gives calls at once the same id', async () => {
    const opened = vault();
    const subjects = await Promise.all(Array.from({ length: 20 }, () => opened.subjectFor(ada)));
    expect(new Set(subjects).size).toBe(1);
  });

  it('tells people of another id or another kind apart', async () => {
    const opened = vault();
    const subjects = await Promise.all([
      opened.subjectFor(ada),
      opened.subjectFor({ kind: 'discord', id: '2' }),
      opened.subjectFor({ kind: 'operator', id: ada.id }),
    ]);
    expect(new Set(subjects).size).toBe(3);
  });

  it('finds only people it has met', async () => {
    const opened = vault();
    expect(await opened.findSubject(ada)).toBeNull();
    const subject = await opened.subjectFor(ada);
    expect(await opened.findSubject(ada)).toBe(subject);
  });
});

describe('subject keys', () => {
  it('are 32 bytes, of one subject only, and the same after a restart', async () => {
    const first = vault();
    const [mine, other] = [await first.subjectFor(ada), await first.subjectFor({ kind: 'discord', id: '2' })];
    const key = Buffer.from((await first.keyOf(mine)) ?? []);
    expect(key).toHaveLength(32);
    expect(Buffer.from((await first.keyOf(other)) ?? [])).not.toEqual(key);
    expect(Buffer.from((await reopened(first).keyOf(mine)) ?? [])).toEqual(key);
  });

  it('are on the disk before the subject is answered: a copy of the files taken then opens', async () => {
    const subject = await vault().subjectFor(ada);
    const copy = mkdtempSync(join(directory, 'copy-'));
    for (const name of ['keys.db', 'keys.db-wal', 'master.key']) writeFileSync(join(copy, name), readFileSync(join(directory, name)));
    const copied = openVault({ file: join(copy, 'keys.db'), masterKeyFile: join(copy, 'master.key'), masterKey: null, clock: { now: () => 0 } });
    open.push(copied);
    expect(await copied.findSubject(ada)).toBe(subject);
    expect(await copied.keyOf(subject)).toHaveLength(32);
  });

  it('are null once erased, also when the key was in use before', async () => {
    const opened = vault();
    const subject = await opened.subjectFor(ada);
    expect(await opened.keyOf(subject)).not.toBeNull();
    await opened.destroySubjects([subject]);
    expect(await opened.keyOf(subject)).toBeNull();
  });

  it('are never made for an id that nobody was given', async () => {
    await expect(vault().keyOf('somebody')).rejects.toMatchObject({ code: 'unknown_subject', details: { subject: 'somebody' } });
  });

  it('do not open when moved to another subject', async () => {
    const opened = vault();
    const [mine, other] = [await opened.subjectFor(ada), await opened.subjectFor({ kind: 'discord', id: '2' })];
    const tampering = new Database(keysFile());
    tampering.prepare('UPDATE subjects SET wrapped_key = (SELECT wrapped_key FROM subjects WHERE subject = ?) WHERE subject = ?').run(other, mine);
    tampering.close();
    await expect(opened.keyOf(mine)).rejects.toMatchObject({ kind: 'damaged', code: 'vault_damaged' });
  });
});

describe('secrets', () => {
  it('are kept by owner and name, replaced, and kept over a restart', async () => {
    const first = vault();
    await first.putSecret('server-1', 'url', 'https://one.example/mcp');
    await first.putSecret('server-1', 'token', 'old');
    await first.putSecret('server-1', 'token', 'new ✓');
    const again = reopened(first);
    expect(await again.getSecret('server-1', 'url')).toBe('https://one.example/mcp');
    expect(await again.getSecret('server-1', 'token')).toBe('new ✓');
    expect(await again.getSecret('server-2', 'token')).toBeNull();
  });

  it('are deleted for one owner only, and leave no byte of what was sealed', async () => {
    const opened = vault();
    await opened.putSecret('server-1', 'token', 'gone');
    await opened.putSecret('server-2', 'token', 'kept');
    const peek = new Database(keysFile(), { readonly: true });
    const { sealed } = peek.prepare<[], { sealed: Buffer }>("SELECT sealed_value AS sealed FROM secrets WHERE owner = 'server-1'").get() ?? { sealed: Buffer.of() };
    peek.close();
    expect(bytesOnDisk().includes(sealed)).toBe(true);
    await opened.deleteSecrets('server-1');
    expect(await opened.getSecret('server-1', 'token')).toBeNull();
    expect(await opened.getSecret('server-2', 'token')).toBe('kept');
    expect(bytesOnDisk().includes(sealed)).toBe(false);
  });
});

describe('the files', () => {
  it('hold no id, key or secret in clear', async () => {
    const opened = vault();
    const subject = await opened.subjectFor(ada);
    const key = Buffer.from((await opened.keyOf(subject)) ?? []);
    await opened.putSecret('server-1', 'token', 'hunter-two-hunter-two');
    const master = readFileSync(masterKeyFile(), 'utf8').trim();
    const bytes = bytesOnDisk();
    expect(bytes.includes(subject)).toBe(true);
    for (const clear of [ada.id, key, 'hunter-two', master, Buffer.from(master, 'base64')]) expect(bytes.includes(clear)).toBe(false);
  });

  it('are readable by their owner only', async () => {
    await vault().subjectFor(ada);
    for (const name of readdirSync(directory)) expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600]);
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(['keys.db', 'master.key']));
  });
});

describe('the master key', () => {
  it('comes from the configuration when given there, and then no file is made', async () => {
    const masterKey = Buffer.alloc(32, 7).toString('base64');
    const first = vault(masterKey);
    const subject = await first.subjectFor(ada);
    close(first);
    expect(existsSync(masterKeyFile())).toBe(false);
    expect(await vault(masterKey).findSubject(ada)).toBe(subject);
  });

  it('is kept when its file was there first', () => {
    const line = Buffer.alloc(32, 9).toString('base64');
    writeFileSync(masterKeyFile(), line);
    vault();
    expect(readFileSync(masterKeyFile(), 'utf8')).toBe(line);
  });

  it('that is another one opens nothing and changes nothing', async () => {
    const first = vault();
    await first.subjectFor(ada);
    close(first);
    const before = bytesOnDisk();
    const fault = faultFrom(() => vault(Buffer.alloc(32, 1).toString('base64')));
    expect(fault).toMatchObject({ kind: 'failed', code: 'wrong_master_key' });
    expect(bytesOnDisk()).toEqual(before);
  });

  it('that is missing is asked for, and no other one is made', () => {
    close(vault());
    rmSync(masterKeyFile());
    const fault = faultFrom(() => vault());
    expect(fault).toMatchObject({ kind: 'failed', code: 'missing_master_key' });
    expect(fault.message).toContain(masterKeyFile());
    expect(existsSync(masterKeyFile())).toBe(false);
  });

  it.each(['', 'short', 'not base64 at all, and much too long for a key', Buffer.alloc(31).toString('base64')])('cannot be %j, which is not shown', (bad) => {
    const fault = faultFrom(() => vault(bad));
    expect(fault.code).toBe('bad_master_key');
    if (bad !== '') expect(fault.message).not.toContain(bad);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('a file that is not right', () => {
  it('is refused when it is no database, and left as it is', () => {
    close(vault());
    writeFileSync(keysFile(), 'x'.repeat(8_192));
    expect(faultFrom(() => vault()).code).toBe('foreign_file');
    expect(readFileSync(keysFile(), 'utf8')).toBe('x'.repeat(8_192));
  });

  it('is refused when it is cut short', async () => {
    const first = vault();
    for (let id = 0; id < 200; id++) await first.subjectFor({ kind: 'discord', id: String(id) });
    close(first);
    truncateSync(keysFile(), 8_192);
    expect(faultFrom(() => vault()).kind).toBe('damaged');
  });

  it('is refused when the root key was changed', () => {
    close(vault());
    const tampering = new Database(keysFile());
    tampering.prepare('UPDATE root SET sealed_key = zeroblob(60)').run();
    tampering.close();
    expect(faultFrom(() => vault())).toMatchObject({ kind: 'damaged', code: 'vault_damaged' });
  });

  it('names itself when it cannot grow, and stores nothing', async () => {
    const opened = vault();
    await opened.putSecret('server-1', 'token', 'small');
    const limited = new Database(keysFile());
    limited.exec('CREATE TRIGGER full BEFORE UPDATE ON secrets BEGIN SELECT RAISE(FAIL, \'no room\'); END');
    limited.close();
    await expect(opened.putSecret('server-1', 'token', 'large')).rejects.toMatchObject({ code: 'keys_not_written' });
    expect(await opened.getSecret('server-1', 'token')).toBe('small');
  });
});

it('says which directory to look at when the master key cannot be stored', () => {
  rmSync(directory, { recursive: true });
  const fault = faultFrom(() => vault());
  mkdirSync(directory);
  expect(fault).toMatchObject({ code: 'cannot_write_secret', details: { errno: 'ENOENT' } });
});
