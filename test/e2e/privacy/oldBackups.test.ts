import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { tracesIn } from '../../support/privacy/traces.js';

jest.setTimeout(120_000);

const newDirectory = dataDirectories();

describe('backups from before somebody was erased', () => {
  const data = newDirectory();
  const outside = newDirectory();

  beforeAll(async () => {
    mkdirSync(outside);
    await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"d6"}', '--user', '7']);
    await jsonInThisProcess(data, ['ledger', 'backup', join(outside, 'ledger.db')]);
    await jsonInThisProcess(data, ['keys', 'backup', join(outside, 'keys.db')]);
    await jsonInThisProcess(data, ['privacy', 'erase', '--user', '7', '--yes']);
  });

  it('bring nobody back, though the ledger that is restored has forgotten the erasure', async () => {
    expect(await jsonInThisProcess(data, ['ledger', 'restore', join(outside, 'ledger.db'), '--force'])).toMatchObject({ code: 0 });
    expect(await jsonInThisProcess(data, ['keys', 'restore', join(outside, 'keys.db'), '--force'])).toMatchObject({ code: 0, document: { destroyed: 1 } });
    expect(await jsonInThisProcess(data, ['privacy', 'export', '--user', '7', '--out', join(outside, 'person.json')])).toMatchObject({ code: 1 });
    expect(existsSync(join(outside, 'person.json'))).toBe(false);
  });

  it('are not taken from a pipe, which would be waited for for ever, nor lost when they bear the name of a draft', async () => {
    const pipe = join(outside, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    for (const command of [['keys', 'restore', pipe, '--force'], ['ledger', 'restore', pipe, '--force'], ['audit', 'verify', pipe]]) {
      expect(await jsonInThisProcess(data, command)).toMatchObject({ code: 2, document: { error: { code: 'not_a_file', message: expect.stringContaining('is a pipe') } } });
    }
    expect(await jsonInThisProcess(data, ['ledger', 'verify'], { env: { CHECKPOINT_LOG: pipe } })).toMatchObject({ code: 2, document: { error: { code: 'not_a_file' } } });
    for (const name of ['keys.db', 'ledger.db']) {
      const draft = join(data, `${name}.restore`);
      copyFileSync(join(outside, name), draft);
      expect(await jsonInThisProcess(data, [name.slice(0, -3), 'restore', draft, '--force'])).toMatchObject({ code: 2, document: { error: { code: 'draft_name' } } });
    }
    expect(existsSync(join(data, 'keys.db.restore'))).toBe(true);
  });
});

describe('a ledger restored from before an erasure that a crash left undone', () => {
  const data = newDirectory();
  const outside = newDirectory();
  const grace = '123456789012345678';
  let callId: string;

  beforeAll(async () => {
    mkdirSync(outside);
    // What is no notation is kept sealed, as everything that people write.
    ({ callId } = (await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"Hopper"}', '--user', grace])).document);
    await jsonInThisProcess(data, ['ledger', 'backup', join(outside, 'ledger.db')]);
    await jsonInThisProcess(data, ['keys', 'backup', join(outside, 'keys.db')]);
    copyFileSync(join(outside, 'keys.db'), join(outside, 'keys-before.db'));
    await jsonInThisProcess(data, ['privacy', 'erase', '--user', grace, '--yes']);
    // As if the process had died between the decision and the keys.
    copyFileSync(join(outside, 'keys-before.db'), join(data, 'keys.db'));
    expect(await jsonInThisProcess(data, ['ledger', 'restore', join(outside, 'ledger.db'), '--force'])).toMatchObject({ code: 0, document: { erased: [expect.any(String)] } });
  });

  it('brings nobody back at the next start: the erasure was recorded again', async () => {
    expect((await jsonInThisProcess(data, ['audit', 'search', '--user', grace])).document.calls).toEqual([]);
    const shown = await inThisProcess(data, ['audit', 'show', callId, '--open']);
    expect(shown.stdout).toContain('[erased]');
    expect(shown.stdout).not.toContain('Hopper');
    expect(tracesIn(data, { digits: [grace], words: ['hopper'] })).toEqual([]);
  });

  it('nor when the keys are lost as well and come from a backup of before', async () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(data, `keys.db${suffix}`), { force: true });
    expect(await jsonInThisProcess(data, ['keys', 'restore', join(outside, 'keys.db')])).toMatchObject({ code: 0, document: { destroyed: 1 } });
    expect((await jsonInThisProcess(data, ['audit', 'search', '--user', grace])).document.calls).toEqual([]);
    expect(tracesIn(data, { digits: [grace], words: ['hopper'] })).toEqual([]);
  });
});
