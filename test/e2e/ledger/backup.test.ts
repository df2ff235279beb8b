import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstEvents } from '../../support/cli/firstEvents.js';
import { toolledger, toolledgerJson } from '../../support/cli/program.js';
import { startServe } from '../../support/cli/served.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();

async function roll(data: string): Promise<string> {
  return (await toolledgerJson(data, ['call', 'roll_dice', '{"notation":"d6"}', '--user', '81'])).document.callId;
}

async function callsOf(data: string): Promise<readonly string[]> {
  return (await toolledgerJson(data, ['audit', 'search'])).document.calls.map(({ callId }) => callId);
}

/** A directory with the keys of another and nothing else. */
function keysOnly(data: string): string {
  const other = newDirectory();
  mkdirSync(other, { mode: 0o700 });
  for (const name of ['keys.db', 'master.key']) copyFileSync(join(data, name), join(other, name));
  return other;
}

describe('a ledger that was backed up', () => {
  const data = newDirectory();
  const outside = newDirectory();
  const backup = join(outside, 'backup.db');
  let first: string;
  let later: string;

  beforeAll(async () => {
    mkdirSync(outside);
    const served = await startServe(data);
    first = await roll(data);
    const made = await toolledgerJson(data, ['ledger', 'backup', backup]);
    expect(made).toMatchObject({ code: 0, document: { file: backup, events: firstEvents + 2 } });
    later = await roll(data);
    await served.stop();
  });

  it('while it was served is one file that only its owner may read', () => {
    expect(readdirSync(outside)).toEqual(['backup.db']);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  });

  it('is restored with its keys elsewhere: everything is there, in a new epoch', async () => {
    const other = keysOnly(data);
    expect(await toolledgerJson(other, ['ledger', 'restore', backup])).toMatchObject({
      code: 0,
      document: { events: firstEvents + 2, epoch: 2, people: 1, unreadable: { people: 0, events: 0 }, hasKeys: true },
    });
    expect(await callsOf(other)).toEqual([first]);
    expect(await toolledgerJson(other, ['ledger', 'verify'])).toMatchObject({ code: 0, document: { events: firstEvents + 3 } });
    expect(readdirSync(other).filter((name) => name.includes('restore'))).toEqual([]);
  });

  it('takes the place of what is there only when forced, and says on record what it replaced', async () => {
    const other = newDirectory();
    cpSync(data, other, { recursive: true });
    const refused = await toolledgerJson(other, ['ledger', 'restore', backup]);
    expect(refused).toMatchObject({ code: 2, document: { error: { code: 'ledger_exists', message: expect.stringContaining('--force') } } });
    expect(await callsOf(other)).toEqual([later, first]);

    expect(await toolledgerJson(other, ['ledger', 'restore', backup, '--force'])).toMatchObject({ code: 0, document: { epoch: 2 } });
    expect(await callsOf(other)).toEqual([first]);
    const ledger = new Database(join(other, 'ledger.db'), { readonly: true });
    const record = ledger.prepare<[], string>("SELECT data FROM events WHERE type = 'LedgerRestored'").pluck().all();
    ledger.close();
    expect(record.map((text) => JSON.parse(text) as unknown)).toEqual([{ epoch: 2, kept: expect.objectContaining({ position: String(firstEvents + 2) }), replaced: expect.objectContaining({ leaf: expect.stringMatching(/^[0-9a-f]{64}$/) }) }]);
    const next = await roll(other);
    expect(await callsOf(other)).toEqual([next, first]);
    expect(await toolledgerJson(other, ['ledger', 'restore', backup, '--force'])).toMatchObject({ code: 0, document: { epoch: 2 } });
  });

  it('without keys says what it can show and what not, and starts nothing', async () => {
    const other = newDirectory();
    const { code, stdout } = await toolledger(other, ['ledger', 'restore', backup]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Restored: ${firstEvents + 2} events. What follows is epoch 2, sealed anew`);
    expect(stdout).toContain('arguments, results and texts of 1 of 1 person (events: 1) cannot be opened: there is no keys.db');
    expect(await toolledgerJson(other, ['audit', 'search'])).toMatchObject({ code: 3, document: { error: { code: 'keys_missing' } } });
  });

  it('of another ledger is refused where keys are that know nobody in it', async () => {
    const other = newDirectory();
    const own = await roll(other);
    const refused = await toolledgerJson(other, ['ledger', 'restore', backup, '--force']);
    expect(refused).toMatchObject({ code: 1, document: { error: { code: 'foreign_backup', message: expect.stringContaining('Nothing was changed') } } });
    expect(await callsOf(other)).toEqual([own]);
  });

  it('is not restored while somebody serves the directory', async () => {
    const served = await startServe(data);
    expect(await toolledgerJson(data, ['ledger', 'restore', backup, '--force'])).toMatchObject({ code: 1, document: { error: { code: 'ledger_in_use' } } });
    await served.stop();
  });

  it('is never written over another file', async () => {
    const file = join(outside, 'notes');
    writeFileSync(file, 'mine');
    expect(await toolledgerJson(data, ['ledger', 'backup', file])).toMatchObject({ code: 2, document: { error: { code: 'file_exists' } } });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('leaves nothing where it cannot be written', async () => {
    const file = join(outside, 'nowhere', 'backup.db');
    expect(await toolledgerJson(data, ['ledger', 'backup', file])).toMatchObject({ code: 1, document: { error: { code: 'cannot_write_copy', message: expect.stringContaining(file) } } });
    expect(existsSync(join(outside, 'nowhere'))).toBe(false);
  });
});

describe('a backup that cannot be trusted changes nothing', () => {
  const data = newDirectory();
  const outside = newDirectory();

  beforeAll(async () => {
    mkdirSync(outside);
    await roll(data);
    await toolledgerJson(data, ['ledger', 'backup', join(outside, 'good.db')]);
  });

  const bad: readonly (readonly [what: string, code: number, error: string, make: (file: string) => void])[] = [
    ['is not there', 2, 'no_such_file', () => undefined],
    ['is a directory', 2, 'not_a_file', (file) => mkdirSync(file)],
    ['is empty', 2, 'not_a_backup', (file) => writeFileSync(file, '')],
    ['is no database', 2, 'not_a_backup', (file) => writeFileSync(file, 'x'.repeat(8192))],
    ['belongs to another part', 2, 'not_a_backup', (file) => copyFileSync(join(data, 'keys.db'), file)],
    ['was cut', 3, 'backup_damaged', (file) => writeFileSync(file, readFileSync(join(outside, 'good.db')).subarray(0, -4096))],
    [
      'has a changed byte in an event',
      3,
      'backup_damaged',
      (file) => {
        const bytes = readFileSync(join(outside, 'good.db'));
        bytes.write('roll_dicf', bytes.indexOf('roll_dice'));
        writeFileSync(file, bytes);
      },
    ],
  ];
  it.each(bad)('when it %s', async (_what, code, error, make) => {
    const file = `${newDirectory()}.db`;
    make(file);
    const before = readFileSync(join(data, 'ledger.db'));
    const refused = await toolledgerJson(data, ['ledger', 'restore', file, '--force']);
    expect(refused).toMatchObject({ code, document: { error: { code: error, message: expect.stringContaining(file) } } });
    expect(readFileSync(join(data, 'ledger.db')).equals(before)).toBe(true);
    expect(readdirSync(data).filter((name) => name.includes('restore'))).toEqual([]);
  });
});
