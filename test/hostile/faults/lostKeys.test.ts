import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstEvents } from '../../support/cli/firstEvents.js';
import { firstInProcesses, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { startServe } from '../../support/cli/served.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();
const roll = ['call', 'roll_dice', '{"notation":"d6"}', '--call-id', 'pay-1'];

describe('keys that do not belong to the ledger', () => {
  const data = newDirectory();
  const keys = join(data, 'keys.db');
  const aside = join(data, 'aside');
  const run = firstInProcesses(data);
  let first: string;

  beforeAll(async () => {
    await run.json('workspace', 'list');
    copyFileSync(keys, aside);
    first = (await run.json(...roll, '--user', '1234')).document.callId;
  });

  it('stop the start while they are missing, and nothing is made in their place', async () => {
    copyFileSync(keys, `${aside}.full`);
    rmSync(keys);
    const before = readFileSync(join(data, 'ledger.db'));
    for (const command of [[...roll, '--user', '1234'], ['audit', 'search'], ['ledger', 'accept-loss']]) {
      expect(await run.json(...command)).toMatchObject({ code: 3, document: { error: { code: 'keys_missing' } } });
    }
    expect(existsSync(keys)).toBe(false);
    expect(readFileSync(join(data, 'ledger.db'))).toEqual(before);
  });

  it('stop the start while they are older than what people did', async () => {
    copyFileSync(aside, keys);
    expect(await run.json(...roll, '--user', '1234')).toMatchObject({ code: 3, document: { error: { code: 'keys_missing' } } });
    expect(await run.json('doctor')).toMatchObject({ code: 1, document: { findings: expect.arrayContaining([{ check: 'keys', state: 'problem', detail: expect.stringContaining('does not know a person who acted lately') }]) } });
  });

  it('once back, answer the call from the record', async () => {
    copyFileSync(`${aside}.full`, keys);
    const { document } = await run.json(...roll, '--user', '1234');
    expect(document).toMatchObject({ callId: first, replayed: true });
  });
});

describe('keys that are lost for good', () => {
  const data = newDirectory();
  const keys = join(data, 'keys.db');
  const run = firstInProcesses(data);
  const secret = ['call', 'roll_dice', '{"notation":"Hopper"}', '--user', '1234'];
  let before: string;

  beforeAll(async () => {
    before = (await run.json(...secret)).document.callId;
    rmSync(keys);
    rmSync(join(data, 'master.key'));
  });

  it('are given up on record, and new ones made', async () => {
    expect(await run.json('ledger', 'accept-loss', '--keys')).toMatchObject({ code: 0, document: { accepted: { subjects: 2, upTo: String(firstEvents + 1) } } });
    expect(await run.json('ledger', 'accept-loss', '--keys')).toMatchObject({ code: 0, document: { accepted: null } });
    expect(await run.json('ledger', 'verify')).toMatchObject({ code: 0 });
  });

  it('make what was sealed unreadable, and everybody somebody new', async () => {
    expect((await run('audit', 'show', before, '--open')).stdout).toContain('[erased]');
    expect((await run.json('audit', 'search', '--user', '1234')).document.calls).toEqual([]);
    const after = (await run.json(...secret)).document.callId;
    expect((await run.json('audit', 'search', '--user', '1234')).document.calls).toMatchObject([{ callId: after }]);
  });

  it('are lost in part when only an old backup is left', async () => {
    const old = join(data, '..', 'old-keys');
    await run.json('keys', 'backup', old);
    await run.json('call', 'roll_dice', '{"notation":"d6"}', '--user', '5678');
    rmSync(keys);
    expect(await run.json('keys', 'restore', old)).toMatchObject({ code: 3, document: { error: { code: 'keys_missing' } } });
    expect(existsSync(keys)).toBe(false);
    expect(await run.json('keys', 'restore', old, '--force')).toMatchObject({ code: 0 });
    expect(await run.json('workspace', 'list')).toMatchObject({ code: 3, document: { error: { code: 'keys_missing' } } });
    expect(await run.json('ledger', 'accept-loss', '--keys')).toMatchObject({ document: { accepted: { subjects: 1 } } });
    expect((await run.json('audit', 'search', '--user', '1234')).document.calls).toHaveLength(1);
  });
});

describe('keys that are damaged or sealed with another master key', () => {
  const data = newDirectory();
  const keys = join(data, 'keys.db');
  const backup = `${data}.keys`;
  const run = firstInProcesses(data);

  beforeAll(async () => {
    await run.json('call', 'roll_dice', '{"notation":"d6"}', '--user', '1234');
  });

  it('were never backed up, says doctor, until they are', async () => {
    const finding = async () => JSON.stringify((await run.json('doctor')).document);
    expect(await finding()).toContain('never backed up');
    await run.json('keys', 'backup', backup);
    expect(await finding()).not.toContain('never backed up');
  });

  it('stop the start under a wrong master key, and nothing is changed', async () => {
    const before = readFileSync(keys);
    const wrong = { env: { TOOLLEDGER_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') } };
    for (const command of [['workspace', 'list'], ['keys', 'rotate', '--new-key-stdin'], ['keys', 'restore', backup, '--force']]) {
      const { code, document } = await jsonInThisProcess(data, command, { ...wrong, input: Buffer.alloc(32, 2).toString('base64') });
      expect([code, document.error.code]).toEqual([1, 'wrong_master_key']);
    }
    expect(readFileSync(keys)).toEqual(before);
  });

  it('stop the start when they are damaged, and a backup takes their place', async () => {
    writeFileSync(keys, readFileSync(keys).fill(0xff, 4_096));
    expect(await run.json('workspace', 'list')).toMatchObject({ code: 3 });
    expect(await run.json('keys', 'restore', backup)).toMatchObject({ code: 2, document: { error: { code: 'keys_exist' } } });
    expect(await run.json('keys', 'restore', backup, '--force')).toMatchObject({ code: 0, document: { people: 2 } });
    expect((await run.json('audit', 'search', '--user', '1234')).document.calls).toHaveLength(1);
  });

  it('are not replaced by what is no backup', async () => {
    const before = readFileSync(keys);
    for (const file of [join(data, 'ledger.db'), join(data, 'nothing')]) {
      expect((await run.json('keys', 'restore', file, '--force')).code).not.toBe(0);
    }
    expect(readFileSync(keys)).toEqual(before);
  });

  it('are neither restored nor sealed anew while they are served', async () => {
    const served = await startServe(data);
    for (const command of [['restore', backup, '--force'], ['rotate']]) {
      expect(await run.json('keys', ...command)).toMatchObject({ code: 1, document: { error: { code: 'keys_in_use' } } });
    }
    expect(await run.json('keys', 'backup', `${data}.served`)).toMatchObject({ code: 0 });
    await served.stop();
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
