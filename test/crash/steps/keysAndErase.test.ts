import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { fewestKills, killAtEveryStep } from '../../support/crash/everyStep.js';
import { tracesIn } from '../../support/privacy/traces.js';

jest.setTimeout(3_600_000);

const grace = '123456789012345678';
const traces = { digits: [grace], words: ['hopper'] };

const root = mkdtempSync(join(tmpdir(), 'tl-privacy-'));
const prepared = { data: join(root, 'data'), outside: join(root, 'outside') };
const backup = (outside: string): string => join(outside, 'keys');
let callId: string;

beforeAll(async () => {
  mkdirSync(prepared.outside);
  ({ callId } = (await jsonInThisProcess(prepared.data, ['call', 'roll_dice', '{"notation":"Hopper"}', '--user', grace])).document);
  await jsonInThisProcess(prepared.data, ['keys', 'backup', backup(prepared.outside)]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function opened(data: string): Promise<string> {
  const { code, stdout, stderr } = await inThisProcess(data, ['audit', 'show', callId, '--open']);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

describe('a kill at any step', () => {
  it('of an erase leaves the person as before, or erased by the next start', async () => {
    const kills = await killAtEveryStep(root, prepared, () => ['privacy', 'erase', '--user', grace, '--yes'], async ({ when, data }) => {
      const { calls } = (await jsonInThisProcess(data, ['audit', 'search', '--user', grace])).document;
      if (calls.length > 0) {
        expect([when, await opened(data)]).toEqual([when, expect.stringContaining('Hopper')]);
        expect([when, (await inThisProcess(data, ['privacy', 'erase', '--user', grace, '--yes'])).code]).toEqual([when, 0]);
      }
      expect([when, tracesIn(data, traces)]).toEqual([when, []]);
      expect([when, (await inThisProcess(data, ['ledger', 'verify'])).code]).toEqual([when, 0]);
    });
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });

  it('of a rotation leaves keys that open, with one master key', async () => {
    const kills = await killAtEveryStep(root, prepared, () => ['keys', 'rotate'], async ({ when, data }) => {
      expect([when, await opened(data)]).toEqual([when, expect.stringContaining('Hopper')]);
      expect([when, existsSync(join(data, 'master.key.next'))]).toEqual([when, false]);
      expect([when, (await inThisProcess(data, ['keys', 'rotate'])).code]).toEqual([when, 0]);
    });
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });

  it('of a backup leaves no file of that name, or a whole one', async () => {
    const kills = await killAtEveryStep(root, prepared, (outside) => ['keys', 'backup', join(outside, 'new')], async ({ when, data, outside }) => {
      const file = join(outside, 'new');
      if (!existsSync(file)) expect([when, (await inThisProcess(data, ['keys', 'backup', file])).code]).toEqual([when, 0]);
      expect([when, await jsonInThisProcess(data, ['keys', 'restore', file, '--force'])]).toMatchObject([when, { code: 0, document: { people: 2 } }]);
    });
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });
});

describe('a kill at any step of a restore', () => {
  const after = { data: join(root, 'erased'), outside: prepared.outside };

  beforeAll(async () => {
    await jsonInThisProcess(after.data, ['call', 'roll_dice', '{"notation":"Hopper"}', '--user', grace, '--call-id', 'one']);
    rmSync(backup(after.outside));
    await jsonInThisProcess(after.data, ['keys', 'backup', backup(after.outside)]);
    await jsonInThisProcess(after.data, ['privacy', 'erase', '--user', grace, '--yes']);
  });

  it('brings nobody back who was erased, and leaves keys that open', async () => {
    const kills = await killAtEveryStep(root, after, (outside) => ['keys', 'restore', backup(outside), '--force'], async ({ when, data, outside }) => {
      expect([when, (await jsonInThisProcess(data, ['audit', 'search', '--user', grace])).document]).toMatchObject([when, { calls: [] }]);
      expect([when, readdirSync(data).filter((name) => name.includes('restore'))]).toEqual([when, []]);
      expect([when, (await inThisProcess(data, ['keys', 'restore', backup(outside), '--force'])).code]).toEqual([when, 0]);
      expect([when, tracesIn(data, traces)]).toEqual([when, []]);
    });
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });
});
