import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { toolledgerJson } from '../../support/cli/program.js';
import { startServe } from '../../support/cli/served.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();
const roll = ['call', 'roll_dice', '{"notation":"d6"}', '--call-id', 'pay-1'];

describe('keys that do not belong to the ledger', () => {
  const data = newDirectory();
  const keys = join(data, 'keys.db');
  const aside = join(data, 'aside');
  let first: string;

  beforeAll(async () => {
    await toolledgerJson(data, ['workspace', 'list']);
    copyFileSync(keys, aside);
    first = (await toolledgerJson(data, [...roll, '--user', '1234'])).document.callId;
  });

  it('stop the start while they are missing, and nothing is made in their place', async () => {
    copyFileSync(keys, `${aside}.full`);
    rmSync(keys);
    const before = readFileSync(join(data, 'ledger.db'));
    for (const command of [[...roll, '--user', '1234'], ['audit', 'search'], ['ledger', 'accept-loss']]) {
      expect(await toolledgerJson(data, command)).toMatchObject({ code: 3, document: { error: { code: 'keys_missing' } } });
    }
    expect(existsSync(keys)).toBe(false);
    expect(readFileSync(join(data, 'ledger.db'))).toEqual(before);
  });

  it('stop the start while they are older than what people did', async () => {
    copyFileSync(aside, keys);
    expect(await toolledgerJson(data, [...roll, '--user', '1234'])).toMatchObject({ code: 3, document: { error: { code: 'keys_missing' } } });
  });

  it('once back, answer the call from the record', async () => {
    copyFileSync(`${aside}.full`, keys);
    const { document } = await toolledgerJson(data, [...roll, '--user', '1234']);
    expect(document).toMatchObject({ callId: first, replayed: true });
  });
});

describe('a lock file that is removed under a running serve', () => {
  it('makes it stop, because another process may own the directory by now', async () => {
    const data = newDirectory();
    const served = await startServe(data);
    rmSync(join(data, 'owner.lock'));
    const { code, stderr } = await served.ended;
    expect(code).toBe(1);
    expect(stderr).toContain('owner.lock');
  });
});
