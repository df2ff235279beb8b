import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseCheckpoint } from '../../src/platform/tlog/checkpoint.js';
import { parseVkey, type NoteVerifier } from '../../src/platform/tlog/noteKey.js';
import { knownSigners } from '../../src/platform/tlog/signedNote.js';
import { makeCosign } from '../../src/reactors/sealing/cosign.js';
import { openSealedLedger, origin, type SealedLedger } from '../support/sealing/sealedLedger.js';
import { startWitness, type TestWitness } from '../support/sealing/witness.js';

let ledger: SealedLedger;
let witness: TestWitness;
let logKeys: NoteVerifier[];
let warnings: unknown[];

beforeEach(async () => {
  ledger = await openSealedLedger();
  logKeys = [];
  witness = await startWitness(logKeys);
  warnings = [];
  await ledger.add(5);
  const first = await ledger.sealer().seal(origin);
  logKeys.push(parseVkey(first?.seal.key ?? ''));
});
afterEach(async () => {
  await witness.stop();
  await ledger.close();
  ledger.remove();
});

/** Seals in a new process that knows the witness. */
function sealer() {
  return ledger.sealer({ cosign: makeCosign([{ url: witness.url, verifier: parseVkey(witness.vkey) }], (fields) => warnings.push(fields)) });
}

function published() {
  return parseCheckpoint(readFileSync(join(ledger.seals, '1', 'checkpoint'), 'utf8'));
}

describe('a witness', () => {
  it('signs checkpoint after checkpoint, each consistent with the one before, and its signatures are kept', async () => {
    const one = sealer();
    for (const added of [1, 300, 1]) {
      await ledger.add(added);
      await one.seal(origin);
      const { note, size } = published();
      expect(knownSigners(note, [...logKeys, parseVkey(witness.vkey)])).toHaveLength(2);
      expect(witness.newest()?.size).toBe(size);
    }
    expect([witness.answered, warnings]).toEqual([[200, 200, 200], []]);
  });

  it('says where it was to a process that does not know', async () => {
    await ledger.add(1);
    await sealer().seal(origin);
    await ledger.add(1);
    await sealer().seal(origin);
    expect(witness.answered).toEqual([200, 409, 200]);
    expect(published().note.signatures).toHaveLength(2);
  });

  it.each([
    ['is out of order', { status: 500, body: '' }],
    ['knows nothing of the log', { status: 404, body: '' }],
    ['has signed a larger tree', { status: 409, body: '99999\n' }],
    ['says nonsense', { status: 409, body: '-1\n' }],
    ['answers without signature', { status: 200, body: '' }],
    ['answers with the signature of somebody else', { status: 200, body: '— other AAAAAAA=\n' }],
    ['answers with a signature of something else', { status: 200, body: '— witness.example/w1 Q7tXoQAAAABrSTHoAAAA\n' }],
    ['answers without end', { status: 200, body: 'x'.repeat(1_000_000) }],
    ['sends elsewhere', { status: 302, body: '' }],
  ])('that %s is named in the log, and the seal stands without it', async (_, answer) => {
    witness.misbehave(answer);
    await ledger.add(1);
    const sealed = await sealer().seal(origin);
    expect(sealed).toMatchObject({ isNew: true });
    expect(published().note.signatures).toHaveLength(1);
    expect(warnings).toMatchObject([{ witness: 'witness.example/w1', size: sealed?.seal.size, why: expect.any(String) }]);
  });

  it('that refused once is asked again with the next checkpoint', async () => {
    const one = sealer();
    witness.misbehave({ status: 500, body: '' });
    await ledger.add(1);
    await one.seal(origin);
    witness.misbehave(null);
    await ledger.add(1);
    await one.seal(origin);
    expect(published().note.signatures).toHaveLength(2);
  });
});
