import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { fewestKills, killAtEveryStep } from '../../support/crash/everyStep.js';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstEvents } from '../../support/cli/firstEvents.js';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';

jest.setTimeout(3_600_000);

const newDirectory = dataDirectories();
const env = { RETENTION_TOOL_CALLS_DAYS: '0' };

/** How many events of calls have their payloads, how many lost them, and how many the ledger says were dropped. */
function payloads(data: string): { readonly whole: number; readonly gone: number; readonly dropped: number } {
  const ledger = new Database(join(data, 'ledger.db'), { readonly: true });
  const count = (sql: string): number => ledger.prepare<[], number>(sql).pluck().get() ?? 0;
  const found = {
    whole: count("SELECT count(*) FROM events WHERE stream LIKE 'toolCall-%' AND type IS NOT NULL"),
    gone: count('SELECT count(*) FROM events WHERE type IS NULL'),
    dropped: count("SELECT ifnull(sum(json_extract(data, '$.events')), 0) FROM events WHERE type = 'EventsDropped'"),
  };
  ledger.close();
  return found;
}

describe('killed before any of its steps', () => {
  it('dropping payloads has dropped what is on record after the next start, and can be run again', async () => {
    const [data, outside, root] = [newDirectory(), newDirectory(), newDirectory()];
    for (const directory of [outside, root]) mkdirSync(directory);
    for (let call = 0; call < 3; call += 1) await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"d6"}']);
    await inThisProcess(data, ['audit', 'export', '--format', 'jsonl', '--out', join(outside, 'all.jsonl')]);

    const drop = (): string[] => ['ledger', 'retention', '--apply-through', String(firstEvents + 6)];
    const kills = await killAtEveryStep(
      root,
      { data, outside },
      drop,
      async (killed) => {
        await jsonInThisProcess(killed.data, ['audit', 'search']);
        const { whole, gone, dropped } = payloads(killed.data);
        expect({ when: killed.when, whole, gone }).toEqual({ when: killed.when, whole: 6 - dropped, gone: dropped });
        expect(await jsonInThisProcess(killed.data, ['ledger', 'verify'])).toMatchObject({ code: 0 });
        expect(await jsonInThisProcess(killed.data, drop(), { env })).toMatchObject({ code: 0 });
        expect(payloads(killed.data)).toEqual({ whole: 0, gone: 6, dropped: 6 });
        expect((await jsonInThisProcess(killed.data, ['audit', 'search'])).document.calls).toEqual([]);
      },
      { env },
    );
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });
});
