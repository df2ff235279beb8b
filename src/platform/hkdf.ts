import { createHmac } from 'node:crypto';

const noSalt = Buffer.alloc(32);
const firstBlock = '\u0001';
const extracted = new WeakMap<Uint8Array, Buffer>();

/**
 * A key for one purpose: HKDF-SHA-256 (RFC 5869) without salt.
 *
 * The same bytes as node's `hkdfSync`, which takes several times as long: extract is done once for each key object
 * and forgotten with it, and 32 bytes are the first block of expand.
 * @param key shared: it must not be changed after its first use here
 * @param info names the purpose
 * @returns 32 bytes
 */
export function hkdf(key: Uint8Array, info: string): Buffer {
  let secret = extracted.get(key);
  if (secret === undefined) {
    secret = createHmac('sha256', noSalt).update(key).digest();
    extracted.set(key, secret);
  }
  // By way of hex: a digest asked for as a buffer gets memory of its own, which costs more than the hashing.
  return Buffer.from(createHmac('sha256', secret).update(info + firstBlock).digest('hex'), 'hex');
}
