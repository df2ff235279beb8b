import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openSqliteStore } from '../../src/events/sqlite/openSqliteStore.js';
import { displayWidth } from '../../src/platform/text/displayWidth.js';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { besideServe, inThisProcess } from '../support/cli/inProcess.js';
import { toolledger } from '../support/cli/program.js';
import { testEvent } from '../support/events.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();
const columns = 80;

/** One of something under the name of many. */
const oneOfMany = /(?<![\d.,-])1 (?:events|people|records|bytes|tools|calls|days|refusals|[a-z]+ checkpoints)\b/;

describe('what people read on a terminal of 80 columns', () => {
  const data = newDirectory();
  const other = newDirectory();
  const outside = newDirectory();
  const file = (name: string): string => join(outside, name);
  let callId: string;

  const beside = besideServe(data, { columns });
  // What replaces files works only where nothing is served.
  const on = async (directory: string, ...args: string[]) => (directory === data ? beside(...args) : inThisProcess(directory, args, { columns }));

  beforeAll(async () => {
    mkdirSync(outside);
    await on(data, 'workspace', 'open', 'g112233445566778899');
    await on(data, 'call', 'roll_dice', '{"notation":"2d6"}', '--workspace', 'g112233445566778899', '--user', '42');
    await on(data, 'call', 'roll_dice', '{"notation":"nonsense that is no notation at all"}', '--user', '42', '--turn', 't1');
    const { stdout } = await on(data, 'call', 'roll_dice', '{"notation":"2d6"}', '--user', '42', '--turn', 't1');
    ({ callId } = JSON.parse(stdout) as { callId: string });
  });

  // In this order: the later ones need what the earlier ones made.
  it.each<[string, () => readonly string[], directory?: () => string]>([
    ['audit search', () => ['audit', 'search']],
    ['audit search of nobody', () => ['audit', 'search', '--user', 'nobody']],
    ['audit show', () => ['audit', 'show', callId]],
    ['audit export', () => ['audit', 'export', '--format', 'csv', '--tool', 'nothing', '--out', file('none.csv')]],
    ['audit check-export', () => ['audit', 'check-export', file('none.csv')]],
    ['audit prove', () => ['audit', 'prove', callId, '--out', file('proof')]],
    ['audit verify', () => ['audit', 'verify', file('proof')]],
    ['tools list', () => ['tools', 'list', '--explain']],
    ['tools list --as-of', () => ['tools', 'list', '--as-of', '2020-01-01', '--explain']],
    ['ledger verify', () => ['ledger', 'verify']],
    ['ledger seal', () => ['ledger', 'seal']],
    ['ledger retention', () => ['ledger', 'retention']],
    ['ledger backup', () => ['ledger', 'backup', file('ledger.db')]],
    ['ledger restore', () => ['ledger', 'restore', file('ledger.db')], () => other],
    ['keys backup', () => ['keys', 'backup', file('keys.db')]],
    [
      'keys restore',
      () => {
        copyFileSync(join(data, 'master.key'), join(other, 'master.key'));
        return ['keys', 'restore', file('keys.db'), '--force'];
      },
      () => other,
    ],
    ['privacy export', () => ['privacy', 'export', '--user', '42', '--out', file('42.json')]],
    ['privacy hold', () => ['privacy', 'hold', '--user', '42', '--because', 'x']],
    ['privacy release', () => ['privacy', 'release', '--user', '42']],
    ['privacy erase', () => ['privacy', 'erase', '--user', '42', '--yes']],
    ['projections status', () => ['projections', 'status']],
    ['doctor', () => ['doctor']],
  ])('fits, and counts as people do: %s', async (_what, args, directory = () => data) => {
    const { code, stdout, stderr } = await on(directory(), ...args());
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('toolledger:')]);
    // Of lines that are broken nowhere only data and commands are longer: they are indented, or one word.
    const long = stdout.split('\n').filter((line) => displayWidth(line) > columns && !line.startsWith(' ') && line.includes(' '));
    expect(long).toEqual([]);
    expect(oneOfMany.exec(stdout + stderr)).toBeNull();
  });

  it('says that nobody is known by an id, beside that no calls match', async () => {
    const found = await inThisProcess(data, ['audit', 'search', '--user', 'nobody']);
    expect(found.stdout).toBe('No calls match.\nNobody is known here by the id of --user: they never called, or they were erased.\n');
    const counted = await inThisProcess(data, ['audit', 'search', '--user', 'nobody', '--count']);
    expect(counted).toEqual({ code: 0, stdout: '0\n', stderr: expect.stringContaining('Nobody is known here') });
    const known = await inThisProcess(data, ['audit', 'search', '--tool', 'nothing']);
    expect(known.stdout).toBe('No calls match.\n');
  });
});

describe('refusals that were only counted', () => {
  it('are told of beside the calls that a search finds, where it would find them', async () => {
    const data = newDirectory();
    const run = async (...args: string[]) => inThisProcess(data, args);
    await run('call', 'nonsense');
    const store = await openSqliteStore({ file: join(data, 'ledger.db'), clock: { now: () => Date.now() } });
    const counts = { caller: '00000000-0000-4000-8000-000000000001', since: 0, counts: { unknown_tool: 143 }, total: 143 };
    await store.append('toolRefusals-local', 'noStream', [testEvent(1, { type: 'ToolCallRefusalsCounted', actor: 'system', door: 'system', data: JSON.stringify(counts) })]);
    await store.close();

    const told = expect.stringContaining('Not among them: 143 refusals that were only counted, because their caller had more than 60 in a minute.');
    expect(await run('audit', 'search', '--outcome', 'refused')).toMatchObject({ code: 0, stdout: told });
    expect(await run('audit', 'search', '--count', '--reason', 'unknown_tool')).toEqual({ code: 0, stdout: '1\n', stderr: told });
    expect((await run('audit', 'search', '--tool', 'nonsense')).stdout).toBe('No calls match.\n');
    expect(JSON.parse((await run('audit', 'search', '--count', '--json')).stdout)).toEqual({ count: 1, personKnown: true, workspaceKnown: true, countedRefusals: { total: 143, complete: true } });
    expect((await run('audit', 'export', '--format', 'jsonl')).stdout).toContain('"type":"ToolCallRefusalsCounted"');
  });
});

describe('doctor with settings that are wrong', () => {
  it('names them in a row of its own and goes on with the others, and every other command stops', async () => {
    const data = newDirectory();
    const env = { TOOLLEDGER_PORT: 'http', LOG_LEVEL: 'loud' };
    const { code, stdout, stderr } = await toolledger(data, ['doctor'], { env });
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^problem: configuration: TOOLLEDGER_PORT was given "http".*LOG_LEVEL was given "loud"/m);
    expect(stdout).toMatch(/^ok: data directory: /m);
    expect(stdout).toMatch(/^ok: network guard: /m);
    expect(await toolledger(data, ['audit', 'search'], { env })).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('TOOLLEDGER_PORT') });
  });
});
