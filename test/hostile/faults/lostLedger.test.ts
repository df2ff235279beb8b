import { closeSync, copyFileSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { readModelPath } from '../../../src/projections/readModel/readModelFile.js';
import { toolCallLog } from '../../../src/projections/toolCallLog/projection.js';
import { toolRegistry } from '../../../src/projections/toolRegistry/projection.js';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstEvents } from '../../support/cli/firstEvents.js';
import { firstInProcesses, type Runner } from '../../support/cli/inProcess.js';
import { stackTraceIn } from '../../support/cli/printedBytes.js';
import { startServe } from '../../support/cli/served.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();
const pageSize = 4096;

async function roll(run: Runner): Promise<string> {
  return (await run.json('call', 'roll_dice', '{"notation":"d6"}')).document.callId;
}

/** Each makes the newest call disappear from a ledger that ends with it; returns that call. */
const losses: readonly (readonly [what: string, lose: (data: string, run: Runner) => Promise<string>])[] = [
  [
    'an older file was put back',
    async (data, run) => {
      copyFileSync(join(data, 'ledger.db'), join(data, 'copy'));
      const lost = await roll(run);
      copyFileSync(join(data, 'copy'), join(data, 'ledger.db'));
      return lost;
    },
  ],
  [
    'the write-ahead log was cut',
    async (data, run) => {
      const served = await startServe(data);
      const kept = statSync(join(data, 'ledger.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
      const lost = await roll(run);
      await run.json('audit', 'search');
      await served.stop('SIGKILL');
      truncateSync(join(data, 'ledger.db-wal'), kept);
      return lost;
    },
  ],
];

describe.each(losses)('a ledger that lost events because %s', (_, lose) => {
  const data = newDirectory();
  const run = firstInProcesses(data);
  let kept: string;
  let lost: string;
  let before: Buffer;

  beforeAll(async () => {
    kept = await roll(run);
    lost = await lose(data, run);
    before = readFileSync(join(data, 'ledger.db'));
  });

  it('stops every start and changes nothing, until the loss is accepted on record', async () => {
    const commands = [['call', 'roll_dice', '{"notation":"d6"}'], ['audit', 'search'], ['serve'], ['ledger', 'verify'], ['projections', 'rebuild', '--all']];
    for (const command of commands) {
      const refused = await run.json(...command);
      expect(refused).toMatchObject({ code: 3, document: { error: { code: 'ledger_incomplete', position: String(firstEvents + 4), head: String(firstEvents + 2), message: expect.stringContaining('accept-loss') } } });
    }
    expect(readFileSync(join(data, 'ledger.db')).equals(before)).toBe(true);
    expect(await run.json('doctor')).toMatchObject({
      code: 1,
      document: { findings: expect.arrayContaining([expect.objectContaining({ check: 'ledger', state: 'problem', detail: expect.stringContaining(`position ${firstEvents + 4}`) })]) },
    });

    expect(await run.json('ledger', 'accept-loss')).toMatchObject({ code: 0, document: { accepted: { kept: String(firstEvents + 2), missing: String(firstEvents + 4), epoch: 2 } } });
    const next = await roll(run);
    const found = await run.json('audit', 'search');
    expect(found.document.calls.map(({ callId }) => callId)).toEqual([next, kept]);
    expect(await run.json('audit', 'show', lost)).toMatchObject({ code: 1, document: { error: { code: 'call_not_found' } } });
    expect(await run.json('ledger', 'verify')).toMatchObject({ code: 0, document: { events: firstEvents + 5 } });
    expect(await run.json('ledger', 'accept-loss')).toMatchObject({ code: 0, document: { accepted: null } });
  });
});

describe('a ledger file that is damaged', () => {
  it('is named by the verification with the position of an event that is not as it was written', async () => {
    const data = newDirectory();
    const run = firstInProcesses(data);
    await roll(run);
    const file = join(data, 'ledger.db');
    const bytes = readFileSync(file);
    const at = bytes.indexOf('{"tool":"roll_dice"');
    expect(at).toBeGreaterThan(0);
    bytes.write('{"tool":"roll_mice"', at);
    writeFileSync(file, bytes);

    expect(await run.json('ledger', 'verify')).toMatchObject({ code: 3, document: { error: { position: String(firstEvents + 1), message: expect.stringContaining(`position ${firstEvents + 1}`) } } });
    const text = await run('ledger', 'verify');
    expect([text.code, text.stdout]).toEqual([3, '']);
    expect(text.stderr).toContain(`The ledger is damaged at position ${firstEvents + 1}`);
  });

  it('stops whatever meets a page that is garbage, and says what to do', async () => {
    const data = newDirectory();
    const run = firstInProcesses(data);
    const callId = await roll(run);
    overwritePage(join(data, 'ledger.db'), 2);
    for (const command of [['ledger', 'verify'], ['call', 'roll_dice', '{"notation":"d6"}'], ['audit', 'show', callId]]) {
      const { code, stdout, stderr } = await run(...command);
      expect([command, code, stdout]).toEqual([command, 3, '']);
      expect(stderr).toMatch(/damaged|lost events/);
      expect(stackTraceIn(stderr)).toBeNull();
    }
  });

  it('is not taken for a ledger when it is something else', async () => {
    const data = newDirectory();
    const run = firstInProcesses(data);
    await roll(run);
    const file = join(data, 'ledger.db');
    writeFileSync(file, 'This is not a database, and it is longer than the header of one would be, so that nobody can be in doubt.');
    const refused = await run.json('call', 'roll_dice', '{"notation":"d6"}');
    expect(refused).toMatchObject({ code: 1, document: { error: { code: 'foreign_file', message: expect.stringContaining(file) } } });
    expect(readFileSync(file, 'utf8')).toMatch(/^This is not a database/);
  });
});

describe('views that are damaged or gone', () => {
  it('are built again by themselves, because they can be', async () => {
    const data = newDirectory();
    const run = firstInProcesses(data);
    const callId = await roll(run);
    overwritePage(readModelPath(join(data, 'readmodels'), toolCallLog), 1);
    rmSync(readModelPath(join(data, 'readmodels'), toolRegistry));
    const found = await run.json('audit', 'search');
    expect([found.code, found.document.calls.map((call) => call.callId)]).toEqual([0, [callId]]);
    expect(await run.json('workspace', 'list')).toMatchObject({ code: 0, document: { workspaces: [{ workspace: 'local' }] } });
  });
});

function overwritePage(file: string, page: number): void {
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.alloc(pageSize, 0xa5), 0, pageSize, (page - 1) * pageSize);
  closeSync(fd);
}
