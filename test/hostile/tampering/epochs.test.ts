import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../../src/commands/ledgerOperations.js';
import { copyOf, rewriteLedger } from '../../support/sealing/attacker.js';
import { closedLedger, memorySecrets, openSealedLedger, origin, type ClosedLedger, type SealedLedger } from '../../support/sealing/sealedLedger.js';

jest.setTimeout(60_000);

const template = mkdtempSync(join(tmpdir(), 'tl-epochs-'));
const secrets = memorySecrets();
let ledger: ClosedLedger;

/** Goes on with what is there, as `ledger accept-loss` does. */
async function acceptLoss({ store, handler }: SealedLedger, checkpoint: string): Promise<void> {
  const head = await store.head();
  const kept = head && { position: head.position, leaf: Buffer.from(head.leaf).toString('hex') };
  const missing = { position: '7', leaf: null, knownFrom: 'checkpoint of 6 events' };
  await handler.execute(ledgerOperationsDecider, ledgerOperationsStream, [{ type: 'AcceptLoss', loss: { kept, missing, checkpoint, vouched: true }, lastEpoch: 1 }], origin);
}

/**
 * A ledger of two epochs. The first signed 3 events, then 6; an older copy of 4 took its place, which the loss of the
 * others was accepted with.
 * @param between what the older copy does before that
 */
async function twoEpochs(root: string, between: (older: SealedLedger) => Promise<void> = async () => undefined): Promise<void> {
  const first = await openSealedLedger(root, secrets);
  await first.add(3);
  await first.sealer().seal(origin);
  const older = copyOf(first.file);
  await first.add(2);
  const last = await first.sealer().seal(origin);
  await first.close();
  older.putBack(first.file);
  const second = await openSealedLedger(root, secrets);
  await between(second);
  await acceptLoss(second, last?.seal.checkpoint ?? '');
  await second.add(1);
  await second.sealer().seal(origin);
  await second.close();
}

beforeAll(() => twoEpochs(join(template, 'made')));
beforeEach(() => {
  cpSync(join(template, 'made'), join(template, 'now'), { recursive: true });
  ledger = closedLedger(join(template, 'now'), secrets);
});
afterEach(() => ledger.remove());
afterAll(() => rmSync(template, { recursive: true }));

/** Changes one byte of a file of an epoch's log; a negative place is counted from the end. */
function spoil(epoch: number, name: string, at: number): void {
  const file = join(ledger.seals, String(epoch), name);
  const bytes = readFileSync(file);
  const place = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  writeFileSync(file, bytes);
}

const present = { epoch: 2, kept: null, sealed: 6, signed: 6, seals: null };

describe('a verification of a ledger of two epochs', () => {
  it('says what was kept of the first, how much of it was signed, and that its tree is as it was signed', async () => {
    expect(await ledger.verify()).toMatchObject({ damage: null, epochs: [{ epoch: 1, kept: 4, sealed: 3, signed: 6, seals: 'as_signed' }, present] });
    expect(await ledger.verify({ fromCheckpoint: true })).toMatchObject({ damage: null, skipped: 6, epochs: [{ epoch: 1, kept: 4 }, present] });
  });

  it.each([
    ['an entry that was kept', 'tile/entries/000.p/6', 50],
    ['the hash of an event that was kept', 'tile/0/000.p/6', 0],
    ['the hash of an event that was given up', 'tile/0/000.p/6', -1],
  ])('names a file of the first that was changed: %s', async (_what, name, at) => {
    spoil(1, name, at);
    expect((await ledger.verify()).damage).toMatchObject({ position: null, kind: 'epoch', detail: expect.stringContaining(join(ledger.seals, '1')) });
  });

  it('names a tile of the first that is missing', async () => {
    rmSync(join(ledger.seals, '1', 'tile', '0'), { recursive: true });
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'epoch', detail: expect.stringContaining(join(ledger.seals, '1', 'tile', '0')) });
  });

  it('names a checkpoint of the first that tells of another size', async () => {
    const file = join(ledger.seals, '1', 'checkpoint');
    writeFileSync(file, readFileSync(file, 'utf8').replace('\n6\n', '\n5\n'));
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'epoch' });
  });

  it("names a checkpoint that is another epoch's", async () => {
    cpSync(join(ledger.seals, '2', 'checkpoint'), join(ledger.seals, '1', 'checkpoint'));
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'epoch', detail: expect.stringContaining('another log') });
  });

  it('finds nothing damaged when all of the first is gone: nobody makes it again', async () => {
    rmSync(join(ledger.seals, '1'), { recursive: true });
    expect(await ledger.verify()).toMatchObject({ damage: null, epochs: [{ epoch: 1, kept: 4, sealed: 3, signed: 6, seals: 'gone' }, present] });
  });

  it('names the event that was kept as the last, when another one took its place before it was sealed', async () => {
    rewriteLedger(ledger.file, (rows) => rows.slice(0, 5).map((row) => (row.position === 4 ? { ...row, occurred_at: row.occurred_at - 1 } : row)));
    for (const trace of [join(ledger.seals, '2'), ledger.checkpointLog]) rmSync(trace, { recursive: true });
    expect((await ledger.verify()).damage).toMatchObject({ position: '4', kind: 'epoch', detail: expect.stringContaining('epoch 1') });
  });
});

describe('trees that contradict each other', () => {
  it('are not compared once the loss was accepted: a copy that went on with other events, sealed', async () => {
    const root = join(template, 'fork');
    // It signs another tree of the same epoch than the one that was given out.
    await twoEpochs(root, async (older) => {
      await older.add(1);
      const files = { ...older.files, logDirectory: () => join(root, 'tiles of the copy'), publish: async () => undefined, addToLog: async () => undefined, newestLogged: async () => [], log: { file: '', id: null } };
      await older.sealer({ files }).seal(origin);
    });
    const forked = closedLedger(root, secrets);
    expect(await forked.verify()).toMatchObject({ damage: null, epochs: [{ epoch: 1, kept: 6, sealed: 5, signed: 6, seals: 'given_up' }, { epoch: 2, kept: null }] });
  });
});
