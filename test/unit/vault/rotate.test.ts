import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { rotateMasterKey } from '../../../src/platform/vault/masterKey/rotateMasterKey.js';
import { openVault } from '../../../src/platform/vault/vault.js';

const ada = { kind: 'discord', id: '1' } as const;
const fixed = (byte: number): Buffer => Buffer.alloc(32, byte);
const randomBytes = (size: number): Buffer => Buffer.alloc(size, 9);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vault-rotate-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const source = (masterKey: Buffer | null = null) => ({
  file: join(directory, 'keys.db'),
  masterKeyFile: join(directory, 'master.key'),
  masterKey: masterKey?.toString('base64') ?? null,
});
const line = (name = 'master.key'): string => readFileSync(join(directory, name), 'utf8').trim();

/** The subject of Ada, with the key there is. */
async function subject(masterKey: Buffer | null = null): Promise<string> {
  const vault = openVault({ ...source(masterKey), clock: { now: () => 1_000 } });
  try {
    return await vault.subjectFor(ada);
  } finally {
    vault.close();
  }
}

describe('a new master key', () => {
  it('takes the place of the one in the file, which opens nothing any more', async () => {
    const before = await subject();
    const old = line();
    expect(rotateMasterKey(source(), null, randomBytes)).toBe(true);
    expect(line()).toBe(randomBytes(32).toString('base64'));
    expect(statSync(join(directory, 'master.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).filter((name) => name.startsWith('master'))).toEqual(['master.key']);
    expect(await subject()).toBe(before);
    await expect(subject(Buffer.from(old, 'base64'))).rejects.toMatchObject({ code: 'wrong_master_key' });
  });

  it('leaves no byte in the file that the old one opens', async () => {
    await subject();
    const db = new Database(source().file, { readonly: true });
    const sealed = db.prepare<[], Buffer>('SELECT sealed_key FROM root').pluck().get() ?? Buffer.of();
    db.close();
    expect(readFileSync(source().file).includes(sealed)).toBe(true);
    rotateMasterKey(source(), null, randomBytes);
    expect(Buffer.concat(readdirSync(directory).map((name) => readFileSync(join(directory, name)))).includes(sealed)).toBe(false);
  });

  it('is the one that is given, if one is', async () => {
    await subject();
    rotateMasterKey(source(), fixed(3), randomBytes);
    expect(line()).toBe(fixed(3).toString('base64'));
  });

  it('must be given when the old one comes from the configuration, and is kept nowhere', async () => {
    const before = await subject(fixed(1));
    expect(() => rotateMasterKey(source(fixed(1)), null, randomBytes)).toThrow(expect.objectContaining({ kind: 'usage', code: 'no_new_master_key' }));
    expect(await subject(fixed(1))).toBe(before);
    rotateMasterKey(source(fixed(1)), fixed(2), randomBytes);
    expect(await subject(fixed(2))).toBe(before);
    expect(readdirSync(directory).filter((name) => name.startsWith('master'))).toEqual([]);
  });

  it('does not come without the old one', async () => {
    await subject();
    writeFileSync(join(directory, 'master.key'), fixed(7).toString('base64'));
    const bytes = readFileSync(source().file);
    expect(() => rotateMasterKey(source(), null, randomBytes)).toThrow(expect.objectContaining({ code: 'wrong_master_key' }));
    expect(readFileSync(source().file)).toEqual(bytes);
    expect(line()).toBe(fixed(7).toString('base64'));
  });
});

describe('a rotation that was broken off', () => {
  it('before it took hold is as if it had never begun', async () => {
    const before = await subject();
    const old = line();
    writeFileSync(join(directory, 'master.key.next'), `${fixed(4).toString('base64')}\n`);
    expect(await subject()).toBe(before);
    expect(line()).toBe(old);
    expect(existsSync(join(directory, 'master.key.next'))).toBe(false);
  });

  it('after it took hold is finished by the next start', async () => {
    const before = await subject();
    const old = line();
    rotateMasterKey(source(), fixed(4), randomBytes);
    writeFileSync(join(directory, 'master.key.next'), readFileSync(join(directory, 'master.key')));
    writeFileSync(join(directory, 'master.key'), old);
    expect(await subject()).toBe(before);
    expect(line()).toBe(fixed(4).toString('base64'));
    expect(existsSync(join(directory, 'master.key.next'))).toBe(false);
  });
});
