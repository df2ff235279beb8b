import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../../src/commands/ledgerOperations.js';
import { ledgerSealStream } from '../../../src/commands/ledgerSeal.js';
import { parseCheckpoint } from '../../../src/platform/tlog/checkpoint.js';
import { parseVkey } from '../../../src/platform/tlog/noteKey.js';
import { knownSigners } from '../../../src/platform/tlog/signedNote.js';
import { keyRotations } from '../../../src/reactors/sealing/keyRotations.js';
import { openSealedLedger, origin, steadyBytes, type SealedLedger } from '../../support/sealing/sealedLedger.js';

let ledger: SealedLedger;
beforeEach(async () => {
  ledger = await openSealedLedger();
});
afterEach(async () => {
  await ledger.close();
  ledger.remove();
});

function loggedSizes(): readonly number[] {
  return readFileSync(ledger.checkpointLog, 'utf8').trimEnd().split('\n').map((line) => parseCheckpoint(JSON.parse(line) as string).size);
}

describe('sealing', () => {
  it('signs what was added, records it, and gives the checkpoint out', async () => {
    await ledger.add(3);
    const sealed = await ledger.sealer().seal(origin);
    expect(sealed).toMatchObject({ isNew: true, seal: { epoch: 1, size: 3, position: '3' } });
    const seal = sealed?.seal ?? { checkpoint: '', key: '' };
    const checkpoint = parseCheckpoint(seal.checkpoint);
    expect(checkpoint.origin).toMatch(/^toolledger\.local\/[0-9a-f]{32}\/1$/);
    expect(knownSigners(checkpoint.note, [parseVkey(seal.key)])).toHaveLength(1);
    expect(readFileSync(join(ledger.seals, '1', 'checkpoint'), 'utf8')).toBe(seal.checkpoint);
    expect(loggedSizes()).toEqual([3]);
    expect(await ledger.verify()).toMatchObject({ events: 4, damage: null, sealed: 3 });
  });

  it('of an empty ledger does nothing', async () => expect(await ledger.sealer().seal(origin)).toBeNull());

  it('never happens because of a seal alone', async () => {
    await ledger.add(3);
    const sealer = ledger.sealer();
    await sealer.seal(origin);
    expect(await sealer.unsealed()).toBe(0);
    expect(await sealer.seal(origin)).toMatchObject({ isNew: false, seal: { size: 3 } });
    await ledger.add(1);
    expect(await sealer.unsealed()).toBe(1);
    expect(await sealer.seal(origin)).toMatchObject({ isNew: true, seal: { size: 5 } });
    expect(loggedSizes()).toEqual([3, 5]);
  });

  it('has one winner: of two sealers at once, the loser gives nothing out', async () => {
    await ledger.add(3);
    const published: string[] = [];
    const files = { ...ledger.files, addToLog: async (text: string) => void published.push(text), publish: async (_: number, text: string) => void published.push(text) };
    const loser = ledger.sealer({
      files,
      randomBytes: steadyBytes(8),
      // Meanwhile somebody else seals.
      grow: async (growth) => {
        await ledger.sealer().seal(origin);
        return { size: 2, position: '2', root: 'a'.repeat(64), ...growth.from };
      },
    });
    expect(await loser.seal(origin)).toMatchObject({ isNew: false, seal: { size: 3 } });
    expect(published).toEqual([]);
    expect(await ledger.store.readStream(ledgerSealStream, 0, 10)).toHaveLength(1);
  });

  it('makes tiles again that are gone, and says when the ledger is not the one that was sealed', async () => {
    await ledger.add(300);
    const sealer = ledger.sealer();
    await sealer.seal(origin);
    rmSync(join(ledger.seals, '1', 'tile'), { recursive: true });
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'tile' });
    await sealer.seal(origin);
    expect((await ledger.verify()).damage).toBeNull();
  });

  it('computes the same tree again when payloads were dropped since', async () => {
    await ledger.add(20);
    const sealer = ledger.sealer();
    const before = await sealer.seal(origin);
    await ledger.store.dropPayloads(['2', '3']);
    for (const tile of ['tile', 'checkpoint']) rmSync(join(ledger.seals, '1', tile), { recursive: true });
    expect(await sealer.seal(origin)).toEqual({ ...before, isNew: false });
    expect(await ledger.loss()).toBeNull();
    await ledger.add(1);
    expect(await sealer.seal(origin)).toMatchObject({ isNew: true, seal: { size: 22 } });
  });

  it('goes on in the checkpoint log behind half a line that a crash left', async () => {
    await ledger.add(3);
    const sealer = ledger.sealer();
    const first = await sealer.seal(origin);
    await ledger.add(1);
    const second = await sealer.seal(origin);
    const line = JSON.stringify(second?.seal.checkpoint);
    writeFileSync(ledger.checkpointLog, `${JSON.stringify(first?.seal.checkpoint)}\n${line.slice(0, 50)}`);
    // It is published after the log has it.
    await ledger.files.publish(1, first?.seal.checkpoint ?? '');
    await ledger.sealer().seal(origin);
    expect(readFileSync(ledger.checkpointLog, 'utf8').split('\n').slice(1)).toEqual([line.slice(0, 50), line, '']);
    expect((await ledger.verify()).damage).toBeNull();
  });

  it('does nothing with a key that is not the one on record', async () => {
    await ledger.add(3);
    await ledger.sealer().seal(origin);
    await ledger.add(1);
    ledger.secrets.all.clear();
    await expect(ledger.sealer({ randomBytes: steadyBytes(9) }).seal(origin)).rejects.toMatchObject({ code: 'sealing_key_lost' });
    expect(loggedSizes()).toEqual([3]);
  });
});

describe('the sealing key', () => {
  it('is replaced by one that the old one vouches for, and signs from then on', async () => {
    await ledger.add(3);
    const sealer = ledger.sealer();
    const before = (await sealer.seal(origin))?.seal.key;
    const after = (await sealer.rotateKey(origin))?.seal;
    expect(after).toMatchObject({ size: 5 });
    expect(after?.key).not.toBe(before);
    expect(await keyRotations(ledger.store, 1)).toMatchObject([{ from: before, to: after?.key }]);
    expect((await ledger.verify()).damage).toBeNull();
    await ledger.add(1);
    expect((await ledger.sealer().seal(origin))?.seal.key).toBe(after?.key);
  });
});

describe('a ledger whose sealing key is lost', () => {
  it('goes on under its own name in the next epoch, with a new key', async () => {
    await ledger.add(3);
    const before = (await ledger.sealer().seal(origin))?.seal;
    ledger.secrets.all.clear();
    const head = await ledger.store.head();
    const kept = head === null ? null : { position: head.position, leaf: Buffer.from(head.leaf).toString('hex') };
    const loss = { kept, missing: null, checkpoint: before?.checkpoint ?? null, vouched: false };
    await ledger.newHandler().execute(ledgerOperationsDecider, ledgerOperationsStream, [{ type: 'AcceptLoss', loss, lastEpoch: 1 }], origin);
    const after = (await ledger.sealer({ randomBytes: steadyBytes(9) }).seal(origin))?.seal;
    expect(after).toMatchObject({ epoch: 2, size: 5 });
    expect(parseVkey(after?.key ?? '').name).toBe(parseVkey(before?.key ?? '').name.replace(/1$/, '2'));
    expect(await ledger.loss()).toBeNull();
    expect((await ledger.verify()).damage).toBeNull();
  });
});

describe('checkpoints that are not what they should be', () => {
  beforeEach(async () => {
    await ledger.add(3);
    await ledger.sealer().seal(origin);
  });

  /** A checkpoint that somebody with another vault signed. */
  async function foreign(size: number): Promise<string> {
    const other = await openSealedLedger();
    await other.add(size);
    const sealed = await other.sealer({ randomBytes: steadyBytes(99) }).seal(origin);
    await other.close();
    other.remove();
    return sealed?.seal.checkpoint ?? '';
  }

  it('stop the start and are named: one of another ledger', async () => {
    appendFileSync(ledger.checkpointLog, `${JSON.stringify(await foreign(2))}\n`);
    await expect(ledger.loss()).rejects.toMatchObject({ kind: 'damaged', code: 'foreign_checkpoint' });
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'checkpoint', detail: expect.stringContaining('not signed by a key') });
  });

  it('stop the start and are named: one from the future, forged', async () => {
    const forged = readFileSync(join(ledger.seals, '1', 'checkpoint'), 'utf8').replace('\n3\n', '\n3000\n');
    appendFileSync(ledger.checkpointLog, `${JSON.stringify(forged)}\n`);
    await expect(ledger.loss()).rejects.toMatchObject({ kind: 'damaged', code: 'foreign_checkpoint' });
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'checkpoint' });
  });

  it('stop the start and are named: one that is no checkpoint', async () => {
    appendFileSync(ledger.checkpointLog, `${JSON.stringify('a\u001b[2J')}\n`);
    await expect(ledger.loss()).rejects.toMatchObject({ kind: 'damaged', code: 'malformed_note' });
    appendFileSync(ledger.checkpointLog, 'x\ny\n');
    expect((await ledger.verify()).damage).toMatchObject({ kind: 'checkpoint' });
  });
});
