import { Fault } from '../../fault.js';
import { fileSize } from '../../files/fileSize.js';
import { createSecretFile, readSecretFile } from '../secretFile.js';

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

/** Where the next master key lies while a rotation is under way. */
export function nextKeyFile({ masterKeyFile }: MasterKeySource): string {
  return `${masterKeyFile}.next`;
}

/**
 * The master keys that are there: normally one. When a rotation was broken off there is also the next one, and which of
 * the two opens the vault says how far it had come.
 * @returns each 32 bytes; none when there is neither a key nor a vault that needs one
 * @throws Fault `missing_master_key` when there is a vault and no key, `bad_master_key` when one is not 32 bytes of base64
 */
export function findMasterKeys(source: MasterKeySource): readonly Buffer[] {
  if (source.masterKey !== null) return [decodeMasterKey(source.masterKey, 'The configured master key')];
  const keys = [source.masterKeyFile, nextKeyFile(source)].flatMap((file) => {
    const line = readSecretFile(file);
    return line === null ? [] : [decodeMasterKey(line, file)];
  });
  if (keys.length > 0 || fileSize(source.file) === 0) return keys;
  throw new Fault(
    'failed',
    'missing_master_key',
    `${source.file} needs the master key it was made with, and there is none: ${source.masterKeyFile} is missing and none is configured. Nothing was changed; put the key back.`,
    { file: source.file, masterKeyFile: source.masterKeyFile },
  );
}

/** The master keys that are there, or a new one in a 0600 file; never replaces one. Throws like `findMasterKeys`. */
export function findOrMakeMasterKeys(source: MasterKeySource, randomBytes: (size: number) => Buffer): readonly Buffer[] {
  const found = findMasterKeys(source);
  if (found.length > 0) return found;
  const line = createSecretFile(source.masterKeyFile, randomBytes(keyBytes).toString('base64'), randomBytes(8).toString('hex'));
  return [decodeMasterKey(line, source.masterKeyFile)];
}

/**
 * Reads a master key as text.
 * @param name what it is, for people; the text itself is never shown
 * @throws Fault `bad_master_key`
 */
export function decodeMasterKey(text: string, name: string): Buffer {
  const key = Buffer.from(text, 'base64');
  // Node skips what is not base64; only a text that comes back the same was a key.
  if (key.length === keyBytes && key.toString('base64') === text) return key;
  throw new Fault('failed', 'bad_master_key', `${name} is not a master key: it must be ${keyBytes} bytes in base64 (44 characters). Nothing was changed; put the right key back.`);
}
