import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { firstEvents } from '../support/cli/firstEvents.js';
import { steeringIn } from '../support/cli/printedBytes.js';
import { firstInProcesses, jsonInThisProcess } from '../support/cli/inProcess.js';
import { startServe, type Served } from '../support/cli/served.js';
import { copyOf, rewriteLedger } from '../support/sealing/attacker.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();

interface Sealed {
  readonly sealed: boolean;
  readonly seal: { readonly epoch: number; readonly size: number; readonly key: string };
}

async function seal(data: string, env: { readonly [name: string]: string } = {}, ...more: string[]): Promise<Sealed> {
  const { code, document } = await jsonInThisProcess(data, ['ledger', 'seal', ...more], { env });
  expect(code).toBe(0);
  return document as unknown as Sealed;
}

async function roll(data: string, env: { readonly [name: string]: string } = {}): Promise<string> {
  return (await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"d6"}'], { env })).document.callId;
}

describe('a call proven to somebody who has nothing else', () => {
  const data = newDirectory();
  const [here, there] = [firstInProcesses(data), firstInProcesses(newDirectory())];
  const file = `${data}.proof`;
  let callId: string;
  let key: string;
  let served: Served;

  beforeAll(async () => {
    served = await startServe(data);
    callId = await roll(data);
    expect(await here.json('audit', 'prove', callId, '--out', file)).toMatchObject({ code: 0, document: { callId, events: 2, file, opens: [] } });
    ({ key } = (await seal(data)).seal);
  });
  afterAll(() => served.stop());

  it('is checked on another machine with the public key, and shown', async () => {
    expect(await there.json('audit', 'verify', file, '--key', key)).toMatchObject({
      code: 0,
      document: { trusted: true, key, size: firstEvents + 2, events: [{ type: 'ToolCallAdmitted' }, { type: 'ToolCallSucceeded', personal: [{ values: null }] }] },
    });
    const shown = await there('audit', 'verify', file);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('Whose ledger that is, it cannot say');
    expect(shown.stdout).toContain('[sealed]');
    expect(steeringIn(shown.stdout)).toBeNull();
  });

  it('opens the sealed values of that call when that was wanted, and puts it on record', async () => {
    const opened = `${data}.open.proof`;
    const proven = await here.json('audit', 'prove', callId, '--out', opened, '--open');
    expect(proven).toMatchObject({ code: 0, document: { opens: [expect.any(String)] } });
    const { document } = await there.json('audit', 'verify', opened, '--key', key);
    expect(document).toMatchObject({ events: [{}, { personal: [{ values: { preview: expect.stringContaining('d6') } }] }] });
    const ledger = new Database(join(data, 'ledger.db'), { readonly: true });
    const recorded = ledger.prepare<[], string>("SELECT data FROM events WHERE type = 'PersonalValuesOpened'").pluck().all();
    ledger.close();
    expect(recorded.map((text) => JSON.parse(text) as unknown)).toMatchObject([{ purpose: 'proof', callId }]);
  });

  it('is refused when anything is wrong with it, with exit 1, and with 2 when the question is', async () => {
    const forged = `${data}.forged.proof`;
    writeFileSync(forged, readFileSync(file, 'utf8').replace('ToolCallSucceeded', 'ToolCallFailed'));
    expect(await there.json('audit', 'verify', forged)).toMatchObject({ code: 1, document: { error: { code: 'proof_invalid' } } });
    const other = newDirectory();
    await roll(other);
    const foreign = (await seal(other)).seal.key;
    expect(await there.json('audit', 'verify', file, '--key', foreign)).toMatchObject({ code: 1, document: { error: { code: 'proof_of_another_key' } } });
    expect(await there.json('audit', 'verify', file, '--key', 'nonsense')).toMatchObject({ code: 2, document: { error: { code: 'bad_vkey' } } });
    expect(await there.json('audit', 'verify', `${file}.gone`)).toMatchObject({ code: 2, document: { error: { code: 'cannot_read' } } });
    expect(await here.json('audit', 'prove', callId, '--out', file)).toMatchObject({ code: 2, document: { error: { code: 'file_exists' } } });
    expect(await here.json('audit', 'prove', 'nothing', '--out', `${file}.new`)).toMatchObject({ code: 1, document: { error: { code: 'call_not_found' } } });
  });
});

describe('a ledger that is sealed', () => {
  const sealed = newDirectory();
  let callId: string;
  let before: string;
  /** A copy of a ledger that holds one call and its seal. */
  const sealedCopy = (): string => {
    const data = newDirectory();
    cpSync(sealed, data, { recursive: true });
    cpSync(`${sealed}.checkpoints`, `${data}.checkpoints`);
    return data;
  };

  beforeAll(async () => {
    const env = { CHECKPOINT_LOG: `${sealed}.checkpoints` };
    callId = await roll(sealed, env);
    before = (await seal(sealed, env)).seal.key;
  });

  it('is sealed when serving ends, and verified from there', async () => {
    const data = newDirectory();
    const served = await startServe(data);
    await roll(data);
    await served.stop();
    expect(await jsonInThisProcess(data, ['ledger', 'verify'])).toMatchObject({ code: 0, document: { ok: true, events: firstEvents + 3, sealed: firstEvents + 2, outside: 2 } });
    await roll(data);
    expect(await jsonInThisProcess(data, ['ledger', 'verify', '--from-checkpoint'])).toMatchObject({ code: 0, document: { ok: true, events: firstEvents + 5, skipped: firstEvents + 2 } });
  });

  it('stops every start when an older copy takes its place, as long as one checkpoint lies elsewhere; then a new epoch begins', async () => {
    const data = sealedCopy();
    const env = { CHECKPOINT_LOG: `${data}.checkpoints` };
    const older = copyOf(join(data, 'ledger.db'));
    await roll(data, env);
    await seal(data, env);
    // Somebody who knows where we keep what: views, tiles and checkpoints go too.
    older.putBack(join(data, 'ledger.db'));
    for (const trace of ['readmodels', 'seals']) rmSync(join(data, trace), { recursive: true });

    for (const command of [['call', 'roll_dice', '{"notation":"d6"}'], ['audit', 'search'], ['serve'], ['ledger', 'seal']]) {
      expect(await jsonInThisProcess(data, command, { env })).toMatchObject({ code: 3, document: { error: { code: 'ledger_incomplete', knownFrom: `checkpoint of ${firstEvents + 5} events`, epoch: 1 } } });
    }
    expect(await jsonInThisProcess(data, ['ledger', 'verify'], { env })).toMatchObject({ code: 3, document: { error: { code: 'missing', position: String(firstEvents + 4) } } });
    expect(await jsonInThisProcess(data, ['ledger', 'accept-loss'], { env })).toMatchObject({ code: 0, document: { accepted: { epoch: 2, kept: String(firstEvents + 3) } } });
    expect(await seal(data, env)).toMatchObject({ sealed: true, seal: { epoch: 2, key: expect.stringMatching(/\/2\+/) } });
    expect(await jsonInThisProcess(data, ['ledger', 'verify'], { env })).toMatchObject({ code: 0 });
  });

  it('misses a checkpoint log that was emptied, at every start, until a new one is named', async () => {
    const data = sealedCopy();
    const env = { CHECKPOINT_LOG: `${data}.checkpoints` };
    const ask = async (...args: string[]) => jsonInThisProcess(data, args, { env });
    // Seals name the file: this one is another one than the template's.
    await ask('call', 'roll_dice', '{"notation":"d6"}');
    await ask('ledger', 'seal');
    expect(await ask('ledger', 'verify')).toMatchObject({ code: 0 });

    writeFileSync(env.CHECKPOINT_LOG, '');
    for (const command of [['call', 'roll_dice', '{"notation":"d6"}'], ['ledger', 'seal']]) {
      expect(await ask(...command)).toMatchObject({ code: 3, document: { error: { code: 'checkpoint_log_cut', file: env.CHECKPOINT_LOG, message: expect.stringContaining('name another file with CHECKPOINT_LOG') } } });
    }
    expect(await ask('ledger', 'verify')).toMatchObject({ code: 3, document: { error: { code: 'log' } } });
    expect(await ask('doctor')).toMatchObject({ code: 1, document: { findings: expect.arrayContaining([expect.objectContaining({ check: 'ledger', state: 'problem', detail: expect.stringContaining(env.CHECKPOINT_LOG) })]) } });
    expect(readFileSync(env.CHECKPOINT_LOG, 'utf8')).toBe('');

    env.CHECKPOINT_LOG = `${data}.checkpoints-2`;
    await ask('call', 'roll_dice', '{"notation":"d6"}');
    expect(await ask('ledger', 'seal')).toMatchObject({ code: 0 });
    expect(await ask('ledger', 'verify')).toMatchObject({ code: 0 });
  });

  it('names the event that somebody changed, with everything else repaired', async () => {
    const data = sealedCopy();
    rewriteLedger(join(data, 'ledger.db'), (rows) => rows.map((row) => (row.position === firstEvents + 1 ? { ...row, data: row.data.replace('d6', 'd8') } : row)));
    const { code, document } = await jsonInThisProcess(data, ['ledger', 'verify']);
    expect([code, document]).toMatchObject([3, { error: { code: 'sealed', position: String(firstEvents + 1) } }]);
  });

  it('gets a new key that the old one vouches for, so that those who trust the old one can go on', async () => {
    const data = sealedCopy();
    const after = (await seal(data, {}, '--rotate-key')).seal.key;
    expect(after).not.toBe(before);
    await jsonInThisProcess(data, ['audit', 'prove', callId, '--out', `${data}.proof`]);
    for (const key of [before, after]) expect(await jsonInThisProcess(data, ['audit', 'verify', `${data}.proof`, '--key', key])).toMatchObject({ code: 0, document: { trusted: true, key: after } });
  });
});
