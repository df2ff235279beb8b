import { Fault } from '../../platform/fault.js';
import type { MasterKeySource } from '../../platform/vault/masterKey/masterKey.js';
import type { DataFiles } from '../dataFiles.js';
import { withOwnership } from '../owner/ownership.js';
import type { Session } from '../session.js';

/**
 * Does work for which nobody else may use the data directory.
 * @throws Fault `keys_in_use` when somebody serves it
 */
export function ownedAlone<T>(session: Session, work: () => Promise<T>): Promise<T> {
  return withOwnership(session, new AbortController().signal, {
    owned: work,
    connected: () => Promise.reject(new Fault('failed', 'keys_in_use', `${session.files.directory} is being served, with its keys open. Stop \`toolledger serve\` first.`)),
  });
}

/** Where the keys of a data directory lie, and what opens them. */
export function keySource(files: DataFiles, config: Session['config']): MasterKeySource {
  return { file: files.keys, masterKeyFile: files.masterKey, masterKey: config.masterKey };
}
