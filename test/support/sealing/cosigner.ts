import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { parseVkey, type NoteSigner } from '../../../src/platform/tlog/noteKey.js';

/** The kind of a witness's key (C2SP tlog-cosignature). */
const kind = Buffer.of(4);
/** What stands before an Ed25519 seed in DER (RFC 8410). */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * A witness's signer of cosignature/v1.
 * @param now seconds since the epoch
 */
export function makeCosigner(name: string, seed: Uint8Array, now: () => number): NoteSigner {
  const key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = Buffer.concat([kind, createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)]);
  const id = createHash('sha256').update(`${name}\n`).update(publicKey).digest('hex').slice(0, 8);
  return {
    verifier: parseVkey(`${name}+${id}+${publicKey.toString('base64')}`),
    sign(text) {
      const timestamp = Buffer.alloc(8);
      timestamp.writeBigUInt64BE(BigInt(now()));
      return Buffer.concat([timestamp, sign(null, Buffer.from(`cosignature/v1\ntime ${now()}\n${text}`), key)]);
    },
  };
}
