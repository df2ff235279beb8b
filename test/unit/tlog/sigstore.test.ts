import { describe, expect, it } from '@jest/globals';
import { checkpointText } from '../../../src/platform/tlog/checkpoint.js';
import { inclusionProof } from '../../../src/platform/tlog/merkleProof.js';
import { makeSigner } from '../../../src/platform/tlog/noteKey.js';
import { noteText, signNote } from '../../../src/platform/tlog/signedNote.js';
import { tlogProofText } from '../../../src/platform/tlog/tlogProof.js';
import { referenceRoot } from '../../support/referenceTree.js';
import { checkWithSigstore } from '../../support/sigstoreLog.js';

const entries = Array.from({ length: 21 }, (_, at) => Buffer.from(`entry ${at}`));
const signer = makeSigner('log.example/1', Buffer.alloc(32, 7));

function proofOf(index: number, size: number): string {
  const root = referenceRoot(entries.slice(0, size));
  const path = inclusionProof(index, size, (level, at) => referenceRoot(entries.slice(at * 2 ** level, (at + 1) * 2 ** level)));
  return tlogProofText({ index, path, checkpoint: noteText(signNote(checkpointText({ origin: 'log.example/1', size, root }), signer)) });
}

describe("what we write, read by sigstore's implementation of notes, checkpoints and inclusion proofs", () => {
  it('holds for every leaf of every size', () => {
    for (let size = 1; size <= entries.length; size += 1) {
      for (let index = 0; index < size; index += 1) {
        expect(() => checkWithSigstore(proofOf(index, size), entries[index] ?? Buffer.alloc(0), signer.verifier.vkey)).not.toThrow();
      }
    }
  });

  it('does not hold for another entry, another key or another checkpoint', () => {
    const entry = entries[5] ?? Buffer.alloc(0);
    const proof = proofOf(5, 13);
    expect(() => checkWithSigstore(proof, Buffer.from('another'), signer.verifier.vkey)).toThrow(/root hash does not match/);
    expect(() => checkWithSigstore(proof, entry, makeSigner('log.example/1', Buffer.alloc(32, 1)).verifier.vkey)).toThrow(/invalid checkpoint signature/);
    expect(() => checkWithSigstore(proof.replace('\n13\n', '\n14\n'), entry, signer.verifier.vkey)).toThrow();
  });
});
