import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { fewestKills, killAtEveryStep, type Killed } from '../../support/crash/everyStep.js';
import { fillLedger } from '../../support/export/largeLedger.js';

jest.setTimeout(3_600_000);

const root = mkdtempSync(join(tmpdir(), 'tl-seal-'));
const prepared = { data: join(root, 'data'), outside: join(root, 'outside') };
const log = join(root, 'checkpoints.jsonl');
const env = { CHECKPOINT_LOG: log };
let callId: string;
let key: string;

async function json(data: string, ...args: string[]) {
  return jsonInThisProcess(data, args, { env });
}

/** A command line, with the checkpoint log as it was: it lies in one place for all runs, because seals name the place. */
function fromTheStart(...args: string[]): readonly string[] {
  copyFileSync(`${log}.before`, log);
  return args;
}

/** Sizes in the checkpoint log, in its order. */
function loggedSizes(): readonly number[] {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  return lines.map((line) => Number((JSON.parse(line) as string).split('\n')[1]));
}

async function sealed(data: string, ...options: string[]): Promise<{ readonly epoch: number; readonly size: number; readonly key: string; readonly checkpoint: string }> {
  const { code, document, stderr } = await json(data, 'ledger', 'seal', ...options);
  if (code !== 0) throw new Error(stderr);
  return (document as unknown as { readonly seal: Awaited<ReturnType<typeof sealed>> }).seal;
}

/** What was left is whole as it is, and the next seal completes it: one line for each seal, in order, and the newest is published. */
async function isWhole({ when, data }: Killed): Promise<void> {
  expect([when, (await json(data, 'ledger', 'verify')).document]).toMatchObject([when, { ok: true }]);
  await json(data, 'call', 'roll_dice', '{"notation":"d6"}');
  const newest = await sealed(data);
  expect([when, readFileSync(join(data, 'seals', '1', 'checkpoint'), 'utf8')]).toEqual([when, newest.checkpoint]);
  const sizes = loggedSizes();
  expect([when, sizes]).toEqual([when, [...new Set(sizes)].sort((a, b) => a - b)]);
  expect([when, sizes.at(-1)]).toEqual([when, newest.size]);
  expect([when, (await json(data, 'ledger', 'verify')).document]).toMatchObject([when, { ok: true, sealed: newest.size }]);
}

beforeAll(async () => {
  mkdirSync(prepared.outside);
  ({ callId } = (await json(prepared.data, 'call', 'roll_dice', '{"notation":"d6"}')).document);
  ({ key } = await sealed(prepared.data));
  // Past the end of the first tile, so that a full one takes the place of a partial one.
  await fillLedger(join(prepared.data, 'ledger.db'), 500);
  copyFileSync(log, `${log}.before`);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a kill at any step', () => {
  it('of a seal leaves a ledger that is whole, and the next seal completes it', async () => {
    const kills = await killAtEveryStep(
      root,
      prepared,
      () => fromTheStart('ledger', 'seal'),
      isWhole,
      { env },
    );
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });

  it('of a rotation of the sealing key leaves one that signs, and that those who trust the first one can follow', async () => {
    const kills = await killAtEveryStep(
      root,
      prepared,
      () => fromTheStart('ledger', 'seal', '--rotate-key'),
      async (killed) => {
        const { when, data, outside } = killed;
        await isWhole(killed);
        const proof = join(outside, 'proof');
        expect([when, (await json(data, 'audit', 'prove', callId, '--out', proof)).code]).toEqual([when, 0]);
        expect([when, (await inThisProcess(data, ['audit', 'verify', proof, '--key', key])).code]).toEqual([when, 0]);
      },
      { env },
    );
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });
});
