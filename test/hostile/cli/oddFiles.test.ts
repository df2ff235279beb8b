import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { makeSigner } from '../../../src/platform/tlog/noteKey.js';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { inThisProcess } from '../../support/cli/inProcess.js';

jest.setTimeout(120_000);

const newDirectory = dataDirectories();

describe('a file that is not what was asked for', () => {
  const data = newDirectory();
  const odd = newDirectory();
  const run = async (...args: string[]) => inThisProcess(data, args);
  const file = (name: string): string => join(odd, name);

  beforeAll(async () => {
    mkdirSync(join(odd, 'directory'), { recursive: true });
    writeFileSync(file('empty'), '');
    writeFileSync(file('text'), 'hello\n');
    const other = new Database(file('other.db'));
    other.exec('CREATE TABLE notes (text)');
    other.close();
    await run('call', 'roll_dice', '{"notation":"d6"}', '--user', '42');
    await run('ledger', 'backup', file('ledger.db'));
    await run('keys', 'backup', file('keys.db'));
    copyFileSync(join(data, 'master.key'), file('key'));
  });

  it.each([
    ['empty', /it is empty/],
    ['text', /it is no database/],
    ['key', /it is no database/],
    ['other.db', /it is the database of another program/],
    ['ledger.db', /it holds a ledger/],
  ])('is told from a backup of keys: %s', async (name, what) => {
    const before = readFileSync(join(data, 'keys.db'));
    const { code, stdout, stderr } = await run('keys', 'restore', file(name), '--force');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/is no backup of keys: .*Nothing was changed; name a file that `toolledger keys backup` made\./);
    expect(stderr).toMatch(what);
    expect(readFileSync(join(data, 'keys.db')).equals(before)).toBe(true);
  });

  it.each([
    ['empty', /it is empty/],
    ['text', /it is no database/],
    ['other.db', /it is the database of another program/],
    ['keys.db', /it holds keys/],
  ])('is told from a backup of the ledger: %s', async (name, what) => {
    const { code, stdout, stderr } = await run('ledger', 'restore', file(name), '--force');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/is no backup of the ledger: .*Nothing was changed; name a file that `toolledger ledger backup` made\./);
    expect(stderr).toMatch(what);
    expect(existsSync(`${join(data, 'ledger.db')}.restore`)).toBe(false);
  });

  it.each([['keys', 'restore', '--force'], ['ledger', 'restore', '--force'], ['audit', 'verify']])('is not looked for in a directory: %s %s', async (...command) => {
    expect(await run(...command, file('directory'))).toMatchObject({ code: 2, stderr: expect.stringContaining('is a directory; name a file') });
  });

  it.each([['keys', 'restore', '--force'], ['ledger', 'restore', '--force'], ['audit', 'verify']])('may not be there at all: %s %s', async (...command) => {
    const { code, stderr } = await run(...command, file('nothing'));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/nothing.*(?:not there|ENOENT).* made\./)]);
  });

  it.each([['keys', 'restore', '--force'], ['ledger', 'restore', '--force'], ['audit', 'verify']])('is named as it was given, also when its name looks like a secret: %s %s', async (...command) => {
    const odd = file('sk-live-q7Zk2mX9vLp4Rt8Wn3Yb6Hc1Jd5Fg0');
    expect((await run(...command, odd)).stderr).toContain(odd);
  });

  it.each(['empty', 'text', 'other.db', 'ledger.db'])('is told from a proof: %s', async (name) => {
    const { code, stderr } = await run('audit', 'verify', file(name));
    expect([code, stderr]).toEqual([1, expect.stringContaining('This is no proof made by `toolledger audit prove`')]);
  });

  it('is named with what was given where it is a public key', async () => {
    const { vkey } = makeSigner('toolledger.local/0190a000-0000-7000-8000-00000000000a/1', Buffer.alloc(32, 7)).verifier;
    const mistyped = vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+');
    const { code, stderr } = await run('audit', 'verify', file('text'), '--key', mistyped);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`"${mistyped}" is not a public key of a log`)]);
  });
});
