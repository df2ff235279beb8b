import { statSync } from 'node:fs';
import { Fault } from '../fault.js';
import { createSecretFile, readSecretFile } from './secretFile.js';

/** Length of the master key and of every key in the vault. */
export const keyBytes = 32;

/** Where the master key comes from and what it opens. */
export interface MasterKeySource {
  /** The vault's database, `keys.db`. */
  readonly file: string;
  /** Read when `masterKey` is null. */
  readonly masterKeyFile: string;
  /** 32 bytes in base64, from the configuration; it goes before the file. */
  readonly masterKey: string | null;
}

/**
 * The master key that is there.
 * @returns 32 bytes, or null when there is neither a key nor a vault that needs one
 * @throws Fault `missing_master_key` when there is a vault and no key, `bad_master_key` when it is not 32 bytes of base64
 */
export function findMasterKey(source: MasterKeySource): Buffer | null {
  if (source.masterKey !== null) return decode(source.masterKey, 'The configured master key');
  const line = readSecretFile(source.masterKeyFile);
  if (line !== null) return decode(line, source.masterKeyFile);
  if (!hasContent(source.file)) return null;
  throw new Fault(
    'failed',
    'missing_master_key',
    `${source.file} needs the master key it was made with, and there is none: ${source.masterKeyFile} is missing and none is configured. Nothing was changed; put the key back.`,
    { file: source.file, masterKeyFile: source.masterKeyFile },
  );
}

/** The master key that is there, or a new one in a 0600 file; never replaces one. Throws like `findMasterKey`. */
export function findOrMakeMasterKey(source: MasterKeySource, randomBytes: (size: number) => Buffer): Buffer {
  const found = findMasterKey(source);
  if (found !== null) return found;
  const line = createSecretFile(source.masterKeyFile, randomBytes(keyBytes).toString('base64'), randomBytes(8).toString('hex'));
  return decode(line, source.masterKeyFile);
}

function decode(text: string, name: string): Buffer {
  const key = Buffer.from(text, 'base64');
  // Node skips what is not base64; only a text that comes back the same was a key.
  if (key.length === keyBytes && key.toString('base64') === text) return key;
  throw new Fault('failed', 'bad_master_key', `${name} is not a master key: it must be ${keyBytes} bytes in base64 (44 characters). Nothing was changed; put the right key back.`);
}

function hasContent(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
