import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openVault, type Vault } from '../../../src/platform/vault/vault.js';

let directory: string;
let now: number;
let vault: Vault;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  now = 1_000;
  vault = open();
});
afterEach(() => {
  vault.close();
  rmSync(directory, { recursive: true });
});

const file = (): string => join(directory, 'keys.db');
const open = (): Vault => openVault({ file: file(), masterKeyFile: join(directory, 'master.key'), masterKey: null, clock: { now: () => now } });

describe('a secret that is replaced only when nobody else did', () => {
  it('gets another version at every write, also when it was deleted in between', async () => {
    const first = await vault.swapSecret('server-1', 'grant', 'one', null);
    const second = await vault.swapSecret('server-1', 'grant', 'two', first);
    expect(await vault.readSecret('server-1', 'grant')).toEqual({ value: 'two', version: second });
    await vault.deleteSecrets('server-1', 'grant');
    const third = await vault.swapSecret('server-1', 'grant', 'three', null);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  it('is left alone when its version has moved, when it is gone, and when it is there but should not be', async () => {
    const first = await vault.swapSecret('server-1', 'grant', 'one', null);
    await vault.putSecret('server-1', 'grant', 'by another');
    expect(await vault.swapSecret('server-1', 'grant', 'mine', first)).toBeNull();
    expect(await vault.swapSecret('server-1', 'grant', 'mine', null)).toBeNull();
    expect(await vault.getSecret('server-1', 'grant')).toBe('by another');
    expect(await vault.swapSecret('server-2', 'grant', 'mine', first)).toBeNull();
    expect(await vault.getSecret('server-2', 'grant')).toBeNull();
  });
});

describe('secrets of an owner', () => {
  it('are found by their name, and deleted one by one', async () => {
    await vault.putSecret('server-2', 'grant', 'b');
    await vault.putSecret('server-1', 'grant', 'a');
    await vault.putSecret('server-1', 'url', 'https://one.example/mcp');
    expect(await vault.secretOwners('grant')).toEqual(['server-1', 'server-2']);
    await vault.deleteSecrets('server-1', 'grant');
    expect(await vault.secretOwners('grant')).toEqual(['server-2']);
    expect(await vault.getSecret('server-1', 'url')).toBe('https://one.example/mcp');
  });
});

describe('a lease', () => {
  it('keeps others out until it ends by itself, and can be prolonged by its holder', async () => {
    expect(await vault.takeLease('grant', 'one', 100)).toBe(true);
    now += 99;
    expect(await vault.takeLease('grant', 'two', 100)).toBe(false);
    expect(await vault.takeLease('grant', 'one', 100)).toBe(true);
    now += 99;
    expect(await vault.takeLease('grant', 'two', 100)).toBe(false);
    now += 1;
    expect(await vault.takeLease('grant', 'two', 100)).toBe(true);
  });

  it('is given back by its holder only, and outlives the process', async () => {
    await vault.takeLease('grant', 'one', 100);
    await vault.releaseLease('grant', 'two');
    vault.close();
    vault = open();
    expect(await vault.takeLease('grant', 'two', 100)).toBe(false);
    expect(await vault.takeLease('another', 'two', 100)).toBe(true);
    await vault.releaseLease('grant', 'one');
    expect(await vault.takeLease('grant', 'two', 100)).toBe(true);
  });

  it('keeps nobody out for longer when the clock is set back', async () => {
    await vault.takeLease('grant', 'one', 100);
    now -= 500;
    expect(await vault.takeLease('grant', 'two', 100)).toBe(true);
    expect(await vault.takeLease('grant', 'one', 100)).toBe(false);
  });

  it('ends with all others when nobody who had one is alive', async () => {
    await vault.takeLease('grant', 'one', 100);
    await vault.endLeases();
    expect(await vault.takeLease('grant', 'two', 100)).toBe(true);
  });
});

it('keeps the secrets of a vault that did not know versions', async () => {
  await vault.putSecret('server-1', 'token', 'kept');
  vault.close();
  const older = new Database(file());
  older.exec('ALTER TABLE secrets DROP COLUMN version; DROP TABLE leases; PRAGMA user_version = 2;');
  older.close();
  vault = open();
  const kept = await vault.readSecret('server-1', 'token');
  expect(kept?.value).toBe('kept');
  expect(await vault.swapSecret('server-1', 'token', 'new', kept?.version ?? null)).not.toBeNull();
});
