import { describe, expect, it } from '@jest/globals';
import { boxKey, sealBox } from '../../../src/events/box.js';
import { canonicalHeader, contentHash, leafHash, leafInput } from '../../../src/events/leaf.js';
import { checkProof } from '../../../src/events/proof/checkProof.js';
import { nextKeyText } from '../../../src/events/proof/keyChain.js';
import { parseProof, proofText, type ProofDocument } from '../../../src/events/proof/proofFile.js';
import { Fault } from '../../../src/platform/fault.js';
import { checkpointText } from '../../../src/platform/tlog/checkpoint.js';
import { inclusionProof, rootOf } from '../../../src/platform/tlog/merkleProof.js';
import { makeSigner, type NoteSigner } from '../../../src/platform/tlog/noteKey.js';
import { makeCosigner } from '../../support/sealing/cosigner.js';
import { noteText, signNote } from '../../../src/platform/tlog/signedNote.js';
import { tlogProofText } from '../../../src/platform/tlog/tlogProof.js';
import { testEvent } from '../../support/events.js';
import { referenceRoot } from '../../support/referenceTree.js';
import { checkWithSigstore } from '../../support/sigstoreLog.js';

const log = 'toolledger.local/0f0e0d0c0b0a09080706050403020100/1';
const [signer, oldSigner, stranger] = [5, 4, 3].map((byte) => makeSigner(log, Buffer.alloc(32, byte))) as [NoteSigner, NoteSigner, NoteSigner];
const witness = makeCosigner('witness.example/w1', Buffer.alloc(32, 8), () => 1_679_315_147);
const subjectKey = Buffer.alloc(32, 6);
const values = { preview: 'what Ada\u202e said' };

/** Two events of one stream among five of a ledger. */
const places = [0, 1].map((revision) => ({ stream: 'toolCall-1', revision, recordedAt: 1_800_000_000_000 + revision }));
const events = places.map(({ stream }, at) => {
  const event = testEvent(at + 1);
  return at === 0 ? event : { ...event, boxes: JSON.stringify([['s-1', sealBox(subjectKey, { stream, eventId: event.id, subject: 's-1' }, values)]]) };
});
const parts = events.map((event, at) => ({ header: canonicalHeader(event, places[at] ?? { stream: '', revision: 0, recordedAt: 0 }), data: event.data, boxes: event.boxes }));
const entries = [...parts.map(({ header, data, boxes }) => leafInput(header, contentHash(data, boxes)).subarray(1)), ...[7, 8, 9].map((byte) => Buffer.alloc(40, byte))];
const subtree = (level: number, index: number): Buffer => referenceRoot(entries.slice(index * 2 ** level, (index + 1) * 2 ** level));

function checkpointBy(by: NoteSigner, ...more: NoteSigner[]): string {
  const text = checkpointText({ origin: log, size: entries.length, root: rootOf(entries.length, subtree) });
  return noteText({ text, signatures: [by, ...more].flatMap((each) => signNote(text, each).signatures) });
}

function proofBy(by: NoteSigner, change: (document: ProofDocument) => ProofDocument = (same) => same): string {
  const checkpoint = checkpointBy(by, witness);
  const document: ProofDocument = {
    key: by.verifier.vkey,
    rotations: [{ from: oldSigner.verifier.vkey, statement: noteText(signNote(nextKeyText(by.verifier.vkey), oldSigner)) }],
    witnesses: [witness.verifier.vkey],
    entries: parts.map((part, index) => ({
      ...part,
      opened: index === 1 ? [{ subject: 's-1', key: boxKey(subjectKey, events[1]?.id ?? '').toString('base64') }] : [],
      proof: tlogProofText({ index, path: inclusionProof(index, entries.length, subtree), checkpoint }),
    })),
  };
  return proofText(change(document), by);
}

const proof = proofBy(signer);
const key = signer.verifier.vkey;

function refusal(text: string, vkey: string | null): string {
  try {
    checkProof(text, vkey);
    return 'it holds';
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

/** With the first entry changed. */
function entry(change: (first: ProofDocument['entries'][number]) => Partial<ProofDocument['entries'][number]>, at = 0) {
  return (document: ProofDocument): ProofDocument => ({ ...document, entries: document.entries.map((each, index) => (index === at ? { ...each, ...change(each) } : each)) });
}

describe('a proof', () => {
  it('says which events lie where in which ledger, and opens what it was made to open', () => {
    const says = checkProof(proof, key);
    expect(says).toMatchObject({ key, trusted: true, log, size: 5, root: rootOf(5, subtree).toString('hex'), witnesses: ['witness.example/w1'] });
    expect(says.events).toMatchObject([
      { index: 0, stream: 'toolCall-1', revision: 0, data: { n: 1 }, personal: [] },
      { index: 1, revision: 1, recordedAt: 1_800_000_000_001, personal: [{ subject: 's-1', values }] },
    ]);
  });

  it('holds without a key, and says that nobody vouched for its own', () => expect(checkProof(proof, null)).toMatchObject({ trusted: false, key }));

  it('holds for whoever trusts an earlier key, which vouched for the one that signed', () => expect(checkProof(proof, oldSigner.verifier.vkey).trusted).toBe(true));

  it('does not hold for another key', () => expect(refusal(proof, stranger.verifier.vkey)).toBe('proof_of_another_key'));

  it('holds log proofs that another implementation accepts', () => {
    for (const [at, { proof: text }] of parseProof(proof).document.entries.entries()) expect(() => checkWithSigstore(text, entries[at] ?? Buffer.alloc(0), key)).not.toThrow();
    expect(leafHash(parts[0]?.header ?? '', contentHash('{"n":1}', ''))).toEqual(subtree(0, 0));
  });

  it('does not hold with any of its bytes changed, left out or doubled, whichever key is asked for', () => {
    const bytes = Buffer.from(proof);
    const accepted: string[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      for (const changed of [flipped, Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]), Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at)])]) {
        if (!changed.equals(bytes) && refusal(changed.toString(), null) === 'it holds') accepted.push(`byte ${at}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it.each([
    ['text behind it', `${proof}\n`],
    ['its first half only', proof.slice(0, proof.length / 2)],
    ['a signature more', `${proof}${proof.slice(proof.lastIndexOf('—'))}`],
    ['a million brackets', `toolledger/proof@1\n${'['.repeat(1_000_000)}\n\n— a AAAAAAA=\n`],
  ])('does not hold with %s', (_, text) => expect(refusal(text, null)).toBe('proof_invalid'));

  it.each([
    ['nothing', ''],
    ['some text', 'hello\n'],
    ['a signed note of something else', checkpointBy(signer, witness)],
    ['text in front of it', ` ${proof}`],
    ['its second half only', proof.slice(proof.length / 2)],
  ])('is told from a file that is none: %s', (_, text) => expect(refusal(text, null)).toBe('not_a_proof'));
});

describe('a proof that somebody signed with a key of their own', () => {
  it.each<[string, (document: ProofDocument) => ProofDocument]>([
    ['says another outcome', entry(({ data }) => ({ data: data.replace('1', '2') }))],
    ['says another time', entry(({ header }) => ({ header: header.replace('1800000000000', '1800000000001') }))],
    ['has a header in another spelling', entry(({ header }) => ({ header: header.replace(',', ', ') }))],
    ['has a header that is not one', entry(() => ({ header: '{}' }))],
    ['has data that is not JSON', entry(() => ({ data: 'x' }))],
    ['leaves out the first event', (document) => ({ ...document, entries: document.entries.slice(1) })],
    ['swaps its events', (document) => ({ ...document, entries: [...document.entries].reverse() })],
    ['tells of another place', entry(({ proof: text }) => ({ proof: text.replace('index 0', 'index 2') }))],
    ['hands out a key that opens nothing', entry(() => ({ opened: [{ subject: 's-1', key: Buffer.alloc(32).toString('base64') }] }), 1)],
    ['hands out a key for nobody', entry(({ opened }) => ({ opened: [...opened, { subject: 's-2', key: Buffer.alloc(32).toString('base64') }] }), 1)],
    ['hands out a key twice', entry(({ opened }) => ({ opened: [...opened, ...opened] }), 1)],
    ['names a witness that did not sign', (document) => ({ ...document, witnesses: [makeCosigner('w2', Buffer.alloc(32, 1), () => 1).verifier.vkey] })],
    ['hides a witness', (document) => ({ ...document, witnesses: [] })],
    ['has a rotation that nobody signed', (document) => ({ ...document, rotations: document.rotations.map(({ from }) => ({ from, statement: noteText(signNote(nextKeyText(stranger.verifier.vkey), stranger)) })) })],
    ['has a checkpoint of another signer', entry(({ proof: text }) => ({ proof: text.slice(0, text.indexOf('\n\n') + 2) + checkpointBy(signer, witness) }))],
  ])('does not hold when it %s', (_, change) => expect(refusal(proofBy(stranger, change), null)).toBe('proof_invalid'));

  it('holds otherwise, for those who ask for no key, and for nobody else', () => {
    expect(checkProof(proofBy(stranger), null)).toMatchObject({ trusted: false, key: stranger.verifier.vkey });
    expect(refusal(proofBy(stranger), key)).toBe('proof_of_another_key');
  });

  it.each([
    ['an unknown field', (text: string) => text.replace('"key"', '"surprise": 1,\n  "key"')],
    ['a field twice', (text: string) => text.replace('"witnesses"', '"witnesses": [],\n  "witnesses"')],
    ['another indent', (text: string) => text.replace('\n  "key"', '\n   "key"')],
    ['an escape that is not needed', (text: string) => text.replace('"key"', '"\\u006bey"')],
  ])('has no other spelling: %s', (_, change) => {
    const { text } = parseProof(proofBy(stranger)).note;
    expect(refusal(noteText(signNote(change(text), stranger)), null)).toBe('proof_invalid');
  });
});
