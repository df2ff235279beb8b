import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { allProjections } from '../../../src/projections/allProjections.js';
import { digestOf } from '../../../src/projections/readModel/digest.js';
import { readModelPath } from '../../../src/projections/readModel/readModelFile.js';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstEvents } from '../../support/cli/firstEvents.js';
import { startServe, type Served } from '../../support/cli/served.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();
/** The position of the last event of the first call. */
const last = firstEvents + 2;
const env = { RETENTION_TOOL_CALLS_DAYS: '0' };

/** Stands in the ledger and the text index as long as the payload of its call does. */
const word = '9d91kh7';

async function roll(data: string, notation: string, ...options: string[]): Promise<string> {
  return (await jsonInThisProcess(data, ['call', 'roll_dice', JSON.stringify({ notation }), ...options])).document.callId;
}

/** Of the live views, as they lie in their files. */
function liveDigests(data: string): readonly unknown[] {
  return allProjections({ callText: true }).map((projection) => {
    const file = new Database(readModelPath(join(data, 'readmodels'), projection), { readonly: true });
    const digest = digestOf(file, projection);
    file.close();
    return { name: projection.name, digest };
  });
}

/** Files of a directory that hold a word. */
function filesWith(data: string, word: string): readonly string[] {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes(word)).map(({ name }) => name.replace(/@.*|-wal$/, ''));
}

describe('payloads that are older than the configured age', () => {
  const data = newDirectory();
  const outside = newDirectory();
  let old: string;
  let held: string;

  beforeAll(async () => {
    mkdirSync(outside);
    old = await roll(data, word, '--call-id', 'first', '--user', '7');
    held = await roll(data, 'd6', '--user', '8');
    await jsonInThisProcess(data, ['privacy', 'hold', '--user', '8', '--because', 'lawsuit']);
  });

  it('are kept for ever unless an age is configured', async () => {
    expect(await jsonInThisProcess(data, ['ledger', 'retention'])).toMatchObject({ code: 0, document: { through: null, dropped: 0, categories: [{ keepMs: null }, { keepMs: null }] } });
    expect(await jsonInThisProcess(data, ['ledger', 'retention'], { env })).toMatchObject({ code: 0, document: { through: last, dropped: 0, categories: [{ keepMs: 0 }, { keepMs: null }] } });
  });

  describe('where an age is configured', () => {
    let served: Served;

    beforeAll(async () => {
      served = await startServe(data, { env });
    });
    afterAll(() => served.stop());

    it('are only counted until somebody repeats what was named, and not before an export holds them', async () => {
      const looked = await jsonInThisProcess(data, ['ledger', 'retention']);
      expect(looked).toMatchObject({ code: 0, document: { through: last, exported: false, dropped: 0, categories: [{ category: 'toolCall', units: 1, events: 2, kept: { held: 1 } }, {}] } });
      expect(await jsonInThisProcess(data, ['ledger', 'retention', '--apply-through', String(last)])).toMatchObject({ code: 1, document: { error: { code: 'not_exported', message: expect.stringContaining('audit export') } } });
      expect(await jsonInThisProcess(data, ['audit', 'show', old])).toMatchObject({ document: { entries: [{ type: 'ToolCallAdmitted' }, { type: 'ToolCallSucceeded' }] } });
    });

    it('do not go by a position that was not named', async () => {
      for (const other of [last - 1, last + 1, 999_999]) {
        const refused = await jsonInThisProcess(data, ['ledger', 'retention', '--apply-through', String(other)]);
        expect(refused).toMatchObject({ code: 2, document: { error: { code: 'position_not_named', through: other, last, message: expect.stringContaining('Nothing was dropped') } } });
      }
      expect((await inThisProcess(data, ['ledger', 'retention', '--apply-through', '1'])).stdout).toContain('Nothing that is left up to position 1 has expired.');
    });

    it('go, with what was sealed, and everything still verifies, searches and rebuilds to the same views', async () => {
      expect(filesWith(data, word)).toEqual(expect.arrayContaining(['ledger.db', 'callText']));
      await inThisProcess(data, ['audit', 'export', '--format', 'jsonl', '--out', join(outside, 'all.jsonl')]);
      const { stdout } = await inThisProcess(data, ['ledger', 'retention']);
      expect(stdout).toContain(`To drop it for ever: toolledger ledger retention --apply-through ${last}`);
      expect(await jsonInThisProcess(data, ['ledger', 'retention', '--apply-through', String(last)])).toMatchObject({ code: 0, document: { dropped: 2 } });

      const found = await jsonInThisProcess(data, ['audit', 'search']);
      expect(found.document.calls.map(({ callId }) => callId)).toEqual([held]);
      expect(await jsonInThisProcess(data, ['audit', 'show', old])).toMatchObject({ code: 0, document: { entries: [{ type: 'PayloadDropped' }, { type: 'PayloadDropped' }] } });
      expect(await jsonInThisProcess(data, ['ledger', 'verify'])).toMatchObject({ code: 0 });
      const live = await jsonInThisProcess(data, ['audit', 'search', '--user', '7']);
      expect(live.document.calls).toEqual([]);
      const before = liveDigests(data);
      expect((await jsonInThisProcess(data, ['projections', 'rebuild', '--all'])).document.views).toMatchObject(before);
    });

    it('leave nothing of the calls in any file but the export', () => {
      expect(filesWith(data, word)).toEqual([]);
      expect(filesWith(outside, word)).toEqual(['all.jsonl']);
    });

    it('are never run again under the same call id', async () => {
      expect(await jsonInThisProcess(data, ['call', 'roll_dice', JSON.stringify({ notation: word }), '--call-id', 'first', '--user', '7'])).toMatchObject({
        code: 1,
        document: { callId: old, success: false, error: { code: 'call_dropped', message: expect.stringContaining('not run again') } },
      });
      expect(await jsonInThisProcess(data, ['audit', 'settle', old, '--verdict', 'failed', '--because', 'x'])).toMatchObject({ code: 1, document: { error: { code: 'was_dropped' } } });
    });

    it('have nothing more to give the second time', async () => {
      expect(await jsonInThisProcess(data, ['ledger', 'retention', '--apply-through', String(last)])).toMatchObject({ code: 0, document: { dropped: 0, through: null } });
    });
  });
});
