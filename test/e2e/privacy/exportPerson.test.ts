import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { startServe, type Served } from '../../support/cli/served.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();

interface Export {
  readonly person: { readonly subject: string };
  readonly index: readonly { readonly type: string; readonly events: number }[];
  readonly events: readonly { readonly type: string; readonly as: readonly string[]; readonly values: unknown }[];
}

describe('everything of one person', () => {
  const data = newDirectory();
  const file = `${data}.json`;
  const run = (...args: string[]) => jsonInThisProcess(data, args);
  const call = (user: string, notation: string) => run('call', 'roll_dice', JSON.stringify({ notation }), '--user', user);
  let served: Served;

  beforeAll(async () => {
    served = await startServe(data);
    await call('1111', 'Grace asks');
    await call('2222', 'Babbage asks');
    await run('privacy', 'hold', '--user', '1111', '--because', 'Case 12');
  });
  afterAll(() => served.stop());

  it('is one document with their values and nobody else\'s, for the operator alone to read', async () => {
    expect(await run('privacy', 'export', '--user', '1111', '--out', file)).toMatchObject({ code: 0, document: { file, events: 3 } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('Babbage');
    const document = JSON.parse(text) as Export;
    expect(document.index.map(({ type, events }) => [type, events])).toEqual([
      ['ToolCallRefused', 1],
      ['SubjectHeld', 1],
      ['PersonalValuesOpened', 1],
    ]);
    expect(JSON.stringify(document.events[0]?.values)).toContain('Grace asks');
    expect(document.events[1]).toMatchObject({ as: ['named'], values: { because: 'Case 12' } });
  });

  it('goes to standard output, too, and each time is recorded', async () => {
    const { code, stdout } = await inThisProcess(data, ['privacy', 'export', '--user', '1111']);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Export).index).toContainEqual(expect.objectContaining({ type: 'PersonalValuesOpened', events: 2 }));
  });

  it('never goes over a file that is there, and is not recorded then', async () => {
    writeFileSync(file, 'precious');
    const { events } = (await run('ledger', 'verify')).document;
    expect(await run('privacy', 'export', '--user', '1111', '--out', file)).toMatchObject({ code: 2, document: { error: { code: 'file_exists' } } });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect((await run('ledger', 'verify')).document.events).toBe(events);
  });

  it('cannot be had of somebody who is not known', async () => {
    expect(await run('privacy', 'export', '--user', '3333')).toMatchObject({ code: 1, document: { error: { code: 'person_unknown' } } });
  });
});
