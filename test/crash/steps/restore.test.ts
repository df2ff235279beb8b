import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { fewestKills, killAtEveryStep } from '../../support/crash/everyStep.js';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstEvents } from '../../support/cli/firstEvents.js';
import { jsonInThisProcess } from '../../support/cli/inProcess.js';

jest.setTimeout(3_600_000);

const newDirectory = dataDirectories();

async function roll(data: string): Promise<string> {
  return (await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"d6"}'])).document.callId;
}

async function callsOf(data: string): Promise<readonly string[]> {
  return (await jsonInThisProcess(data, ['audit', 'search'])).document.calls.map(({ callId }) => callId);
}

describe('killed before any of its steps', () => {
  it('a restore leaves the old ledger or the restored one, whole, and can be run again', async () => {
    const [data, outside, root] = [newDirectory(), newDirectory(), newDirectory()];
    for (const directory of [outside, root]) mkdirSync(directory);
    const first = await roll(data);
    await jsonInThisProcess(data, ['ledger', 'backup', join(outside, 'backup.db')]);
    const later = await roll(data);

    const restore = (at: string): string[] => ['ledger', 'restore', join(at, 'backup.db'), '--force'];
    const kills = await killAtEveryStep(root, { data, outside }, restore, async (killed) => {
      const calls = await callsOf(killed.data);
      const expected = calls.length === 2 ? [later, first] : [first];
      expect({ when: killed.when, calls }).toEqual({ when: killed.when, calls: expected });
      expect(await jsonInThisProcess(killed.data, ['ledger', 'verify'])).toMatchObject({ code: 0 });
      expect(await jsonInThisProcess(killed.data, restore(killed.outside))).toMatchObject({ code: 0, document: { epoch: 2 } });
      expect(await callsOf(killed.data)).toEqual([first]);
    });
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });

  it('a backup is whole or not there, and can be made again', async () => {
    const [data, outside, root] = [newDirectory(), newDirectory(), newDirectory()];
    for (const directory of [outside, root]) mkdirSync(directory);
    await roll(data);

    const backup = (at: string): string[] => ['ledger', 'backup', join(at, 'backup.db')];
    const kills = await killAtEveryStep(root, { data, outside }, backup, async (killed) => {
      const restored = join(killed.outside, 'restored');
      const again = await jsonInThisProcess(killed.data, backup(killed.outside));
      expect([killed.when, again.code === 0 || again.document.error.code]).toEqual([killed.when, again.code === 0 ? true : 'file_exists']);
      expect(await jsonInThisProcess(restored, ['ledger', 'restore', join(killed.outside, 'backup.db')])).toMatchObject({ code: 0, document: { events: firstEvents + 2 } });
    });
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });
});
