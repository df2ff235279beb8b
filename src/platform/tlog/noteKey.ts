import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { Fault } from '../fault.js';
import { quotePublicKey } from '../text/given.js';
import { strictBase64 } from './strictBase64.js';

/** Kinds of signatures (C2SP signed-note and tlog-cosignature); each is the kind's identifier byte. */
const ed25519 = 0x01;
const cosignature = 0x04;

const publicKeyBytes = 32;
const seedBytes = 32;
const signatureBytes = 64;
const idBytes = 4;
/** What stands before the 32 bytes of an Ed25519 key in DER (RFC 8410): SubjectPublicKeyInfo and PKCS #8. */
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Checks signatures of one key. */
export interface NoteVerifier {
  readonly name: string;
  /** Eight hex digits; with the name it says which key signed. */
  readonly id: string;
  /** `name+id+key` in base64: the text by which a key is handed around. */
  readonly vkey: string;
  /** @param signature what stands in the note after the key id */
  verify(text: string, signature: Uint8Array): boolean;
}

/** Signs notes with an Ed25519 key. */
export interface NoteSigner {
  readonly verifier: NoteVerifier;
  /** @returns the bytes that stand in the note after the key id; the same each time */
  sign(text: string): Buffer;
}

/** A name that keys and logs may have: no white space, no plus sign, no control characters. */
export function isKeyName(name: string): boolean {
  return name !== '' && name.isWellFormed() && !/[\s\p{White_Space}+\p{Cc}]/u.test(name);
}

/**
 * Reads a vkey: of an Ed25519 key, or of a witness with timestamped cosignatures.
 * @throws Fault `bad_vkey` (usage) saying what is wrong with it
 */
export function parseVkey(vkey: string): NoteVerifier {
  const [, name = '', id = '', key = ''] = /^([^+]*)\+([^+]*)\+(.*)$/s.exec(vkey) ?? [];
  const bytes = strictBase64(key, 1 + publicKeyBytes);
  if (!isKeyName(name)) throw badVkey(vkey, 'its name is empty, or holds a space or a control character');
  if (bytes === null) throw badVkey(vkey, 'its key is not 33 bytes in base64');
  const kind = bytes[0];
  if (kind !== ed25519 && kind !== cosignature) throw badVkey(vkey, 'its key is of a kind that is not known here (known: Ed25519 and cosignature/v1)');
  const verifier = makeVerifier(name, kind, bytes.subarray(1));
  if (verifier.id !== id) throw badVkey(vkey, `its key id is ${quotePublicKey(id)} and must be ${verifier.id}`);
  return verifier;
}

/** The same key under another name: what a log that begins anew signs with. */
export function renamed({ vkey }: NoteVerifier, name: string): NoteVerifier {
  const typed = Buffer.from(vkey.replace(/^[^+]*\+[^+]*\+/, ''), 'base64');
  return makeVerifier(name, typed[0] === cosignature ? cosignature : ed25519, typed.subarray(1));
}

/** @param seed the 32 bytes of an Ed25519 private key (RFC 8032 §5.1.5) */
export function makeSigner(name: string, seed: Uint8Array): NoteSigner {
  const key = privateKeyOf(seed);
  return { verifier: makeVerifier(name, ed25519, publicBytesOf(key)), sign: (text) => sign(null, Buffer.from(text), key) };
}

function makeVerifier(name: string, kind: typeof ed25519 | typeof cosignature, publicKey: Uint8Array): NoteVerifier {
  const typed = Buffer.concat([Buffer.of(kind), publicKey]);
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest('hex').slice(0, 2 * idBytes);
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, publicKey]), format: 'der', type: 'spki' });
  return {
    name,
    id,
    vkey: `${name}+${id}+${typed.toString('base64')}`,
    verify(text, signature) {
      if (kind === ed25519) return signature.length === signatureBytes && verify(null, Buffer.from(text), key, signature);
      const timestamp = Buffer.from(signature.subarray(0, 8));
      return signature.length === 8 + signatureBytes && verify(null, cosigned(timestamp, text), key, signature.subarray(8));
    },
  };
}

/** What a witness signs: the time and the checkpoint's text. */
function cosigned(timestamp: Buffer, text: string): Buffer {
  return Buffer.from(`cosignature/v1\ntime ${timestamp.readBigUInt64BE()}\n${text}`);
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  if (seed.length !== seedBytes) throw new RangeError(`An Ed25519 private key has ${seedBytes} bytes, not ${seed.length}.`);
  return createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' });
}

function publicBytesOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-publicKeyBytes);
}

function badVkey(vkey: string, problem: string): Fault {
  return new Fault('usage', 'bad_vkey', `${quotePublicKey(vkey)} is not a public key of a log: ${problem}. It must be of the form name+8 hex digits+base64, as \`ledger seal\` shows it.`, { problem });
}
