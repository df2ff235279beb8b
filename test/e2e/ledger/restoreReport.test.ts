import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstEvents } from '../../support/cli/firstEvents.js';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { copyOf, rewriteLedger } from '../../support/sealing/attacker.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();
const outside = newDirectory();
const prepared = newDirectory();
const log = join(outside, 'checkpoints.jsonl');
const env = { CHECKPOINT_LOG: log, RETENTION_TOOL_CALLS_DAYS: '0' };
const backup = join(outside, 'backup.db');

/** Two calls after what the first start leaves. */
const backedUp = firstEvents + 4;

const ask = async (data: string, ...args: string[]) => jsonInThisProcess(data, args, { env });

/** A copy of the ledger that went on after its backup. */
function copied(): string {
  const data = newDirectory();
  cpSync(prepared, data, { recursive: true });
  return data;
}

beforeAll(async () => {
  mkdirSync(outside);
  const roll = async (user: string) => ask(prepared, 'call', 'roll_dice', '{"notation":"d6"}', '--user', user);
  await roll('7');
  await roll('8');
  expect(await ask(prepared, 'ledger', 'backup', backup)).toMatchObject({ code: 0, document: { events: backedUp } });
  // The backup does not know of this seal, which covers all of it.
  expect(await ask(prepared, 'ledger', 'seal')).toMatchObject({ document: { seal: { size: backedUp } } });
  await ask(prepared, 'privacy', 'hold', '--user', '8', '--because', 'lawsuit');
  await ask(prepared, 'privacy', 'erase', '--user', '7', '--yes');
  await ask(prepared, 'audit', 'export', '--format', 'jsonl', '--out', join(outside, 'all.jsonl'));
  await ask(prepared, 'ledger', 'retention', '--apply-through', String(firstEvents + 2));
  expect(await ask(prepared, 'ledger', 'seal')).toMatchObject({ code: 0 });
});

describe('a backup that takes the place of a newer ledger', () => {
  it('is compared with the checkpoints outside of it, and with what the ledger had on record', async () => {
    const data = copied();
    const { document } = await ask(data, 'ledger', 'verify');
    const { sealed } = document as unknown as { sealed: number };
    expect(await ask(data, 'ledger', 'restore', backup, '--force')).toMatchObject({
      code: 0,
      document: {
        events: backedUp,
        newest: { epoch: 1, size: sealed, isVerified: true },
        lacking: sealed - backedUp,
        agreesWith: { epoch: 1, size: backedUp },
        replaced: 'compared',
        lost: { holds: [expect.stringMatching(/^[0-9a-f-]{36}$/)], dropped: 2 },
        erased: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
      },
    });
    expect(await ask(data, 'ledger', 'verify')).toMatchObject({ code: 0, document: { epochs: [{ epoch: 1, kept: backedUp, sealed: 0, signed: sealed, seals: 'given_up' }, { epoch: 2, kept: null }] } });
  });

  it('says so to people', async () => {
    const { stdout } = await inThisProcess(copied(), ['ledger', 'restore', backup, '--force'], { env });
    expect(stdout).toMatch(new RegExp(`The furthest checkpoint that is known tells of \\d+ events, in epoch 1: at least \\d+ of them are not in the backup, which has ${backedUp}\\. A checkpoint of epoch 1 was signed for the first ${backedUp} events of it`));
    expect(stdout).toMatch(/Legal holds of these people are not in force any more; renew them with `privacy hold`: [0-9a-f-]{36}\.\n/);
    expect(stdout).toContain('Payloads that were dropped and are there again: 2.');
    expect(stdout).toMatch(/recorded as erased again: [0-9a-f-]{36}\.\n/);
  });

  it('knows what is gone from CHECKPOINT_LOG alone, on another machine', async () => {
    const elsewhere = newDirectory();
    expect(await ask(elsewhere, 'ledger', 'restore', backup)).toMatchObject({
      code: 0,
      // The backup holds no seal, so nobody here can say whose signature that is.
      document: { newest: { epoch: 1, isVerified: false }, agreesWith: null, replaced: 'none', lost: null, erased: [] },
    });
  });

  it('says when the ledger cannot be read, and still erases whom the keys know as erased', async () => {
    const data = copied();
    for (const suffix of ['-wal', '-shm']) rmSync(join(data, `ledger.db${suffix}`), { force: true });
    writeFileSync(join(data, 'ledger.db'), 'x'.repeat(8192));
    expect(await ask(data, 'ledger', 'restore', backup, '--force')).toMatchObject({ code: 0, document: { replaced: 'unreadable', lost: null, erased: [expect.any(String)] } });
  });

  it('does not take it when its events are not those that were signed, though it is whole in itself', async () => {
    const data = copied();
    const forged = join(outside, 'forged.db');
    copyOf(backup).putBack(forged);
    rewriteLedger(forged, (rows) => rows.map((row) => (row.position === firstEvents + 3 ? { ...row, data: row.data.replace('d6', 'd8') } : row)));
    const before = readFileSync(join(data, 'ledger.db'));
    expect(await ask(data, 'ledger', 'restore', forged, '--force')).toMatchObject({ code: 3, document: { error: { code: 'backup_damaged', kind: 'sealed', message: expect.stringContaining('Nothing was changed') } } });
    expect(readFileSync(join(data, 'ledger.db')).equals(before)).toBe(true);
    // Where no checkpoint lies, nobody can tell.
    expect(await jsonInThisProcess(newDirectory(), ['ledger', 'restore', forged])).toMatchObject({ code: 0, document: { newest: null, lacking: 0, agreesWith: null } });
  });
});
