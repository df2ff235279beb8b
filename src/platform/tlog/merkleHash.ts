import { createHash, hash } from 'node:crypto';

/** Bytes of a hash. */
export const hashBytes = 32;

const node = Buffer.alloc(1 + 2 * hashBytes);
node[0] = 1;

/** SHA-256(0x00 ‖ entry), the leaf hash of RFC 6962 §2.1, 32 bytes. */
export function leafHash(entry: Uint8Array): Buffer {
  return createHash('sha256').update('\0').update(entry).digest();
}

/** SHA-256(0x01 ‖ left ‖ right), the node hash of RFC 6962 §2.1, 32 bytes. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1);
  node.set(right, 1 + hashBytes);
  return Buffer.from(hash('sha256', node, 'hex'), 'hex');
}

/** The head of the tree over no entries: SHA-256 of nothing (RFC 6962 §2.1). */
export const emptyRoot: Buffer = createHash('sha256').digest();
