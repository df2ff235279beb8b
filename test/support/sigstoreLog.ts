import { createPublicKey, type KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import { parseVkey } from '../../src/platform/tlog/noteKey.js';

interface SigstoreEntry {
  readonly canonicalizedBody: Uint8Array;
  readonly inclusionProof: { readonly logIndex: string; readonly hashes: readonly Buffer[]; readonly checkpoint: { readonly envelope: string } };
}
interface SigstoreCheckpoint {
  readonly logSize: bigint;
}

// The package keeps these two parts to itself; they are the only other implementation of the formats for Node.
const require = createRequire(import.meta.url);
const { verifyCheckpoint } = require('@sigstore/verify/dist/tlog/checkpoint.js') as {
  readonly verifyCheckpoint: (entry: SigstoreEntry, logs: readonly { readonly logID: Buffer; readonly baseURL: string; readonly publicKey: KeyObject }[]) => SigstoreCheckpoint;
};
const { verifyMerkleInclusion } = require('@sigstore/verify/dist/tlog/merkle.js') as { readonly verifyMerkleInclusion: (entry: SigstoreEntry, checkpoint: SigstoreCheckpoint) => void };

/**
 * Checks a tlog-proof with sigstore's code: the checkpoint's signature, and the path from the entry to its root.
 * @throws sigstore's VerificationError
 */
export function checkWithSigstore(proof: string, entry: Uint8Array, vkey: string): void {
  const [, head = '', envelope = ''] = /^c2sp\.org\/tlog-proof@v1\n(.*?)\n\n(.*)$/s.exec(proof) ?? [];
  const [index = '', ...hashes] = head.split('\n');
  const stated: SigstoreEntry = {
    canonicalizedBody: entry,
    inclusionProof: { logIndex: index.replace('index ', ''), hashes: hashes.map((hash) => Buffer.from(hash, 'base64')), checkpoint: { envelope } },
  };
  const { name, id } = parseVkey(vkey);
  const key = Buffer.from(vkey.slice(vkey.lastIndexOf('+', vkey.indexOf(id) + id.length) + 1), 'base64').subarray(1);
  const publicKey = createPublicKey({ key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key]), format: 'der', type: 'spki' });
  verifyMerkleInclusion(stated, verifyCheckpoint(stated, [{ logID: Buffer.from(id, 'hex'), baseURL: name, publicKey }]));
}
