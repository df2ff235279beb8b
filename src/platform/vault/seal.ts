import { createCipheriv, createDecipheriv } from 'node:crypto';
import { hkdf } from '../hkdf.js';

const nonceBytes = 12;
const tagBytes = 16;

/** A key for one purpose, 32 bytes: HKDF-SHA-256 (RFC 5869) of `key` with the purpose as info. */
export function keyFor(key: Uint8Array, purpose: string): Buffer {
  return hkdf(key, `toolledger/vault@1 ${purpose}`);
}

/**
 * Seals with AES-256-GCM.
 * @param place what the value belongs to: moved elsewhere it does not open
 * @param nonce 12 random bytes, never used twice with the same key
 * @returns nonce ‖ ciphertext ‖ tag
 */
export function seal(key: Uint8Array, place: readonly string[], plain: Uint8Array, nonce: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound(place));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what `seal` made; null when the key, the place or a byte is not the one it was sealed with. */
export function unseal(key: Uint8Array, place: readonly string[], sealed: Buffer): Buffer | null {
  if (sealed.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
    .setAAD(bound(place))
    .setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Random bytes for `seal`'s nonce. */
export function newNonce(randomBytes: (size: number) => Buffer): Buffer {
  return randomBytes(nonceBytes);
}

function bound(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(place));
}
