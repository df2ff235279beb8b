import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { firstInProcesses } from '../support/cli/inProcess.js';

jest.setTimeout(120_000);

const newDirectory = dataDirectories();

describe('which tools a workspace could use at a moment', () => {
  const data = newDirectory();
  const run = firstInProcesses(data);
  /** recordedAt of every switch, as the command line takes it. */
  let times: readonly string[];

  beforeAll(async () => {
    for (const on of ['off', 'on', 'off']) await run.json('tools', on, 'roll_dice');
    const ledger = new Database(join(data, 'ledger.db'), { readonly: true });
    times = ledger.prepare<[], number>("SELECT recorded_at FROM events WHERE type IN ('WorkspaceOpened', 'ToolSwitchSet') ORDER BY position").pluck().all().map((ms) => new Date(ms).toISOString());
    ledger.close();
  });

  it('is told from the ledger, with the reasons that held then', async () => {
    const reasons = [];
    for (const time of times) {
      const { document } = await run.json('tools', 'list', '--as-of', time, '--explain');
      reasons.push((document.tools as { name: string; available: boolean; reasons: { code: string }[] }[]).map(({ name, available, reasons: why }) => [name, available, why.map(({ code }) => code)]));
    }
    const on = [['roll_dice', true, []]];
    const off = [['roll_dice', false, ['switched_off']]];
    expect(reasons).toEqual([on, off, on, off]);
  });

  it('leaves out what could not be used unless asked to explain', async () => {
    expect((await run.json('tools', 'list', '--as-of', times[1] ?? '')).document.tools).toEqual([]);
    expect((await run('tools', 'list', '--as-of', times[2] ?? '')).stdout).toContain('roll_dice');
  });

  it('is nothing before the workspace was opened', async () => {
    expect((await run.json('tools', 'list', '--as-of', '2020-01-01T00:00:00Z', '--explain')).document.tools).toMatchObject([{ available: false, reasons: [{ code: 'workspace_unknown' }] }]);
  });

  it('needs a time that can be understood', async () => {
    expect(await run.json('tools', 'list', '--as-of', 'yesterday')).toMatchObject({ code: 2, document: { error: { code: 'invalid_time' } } });
  });
});
