import { randomBytes } from 'node:crypto';
import type { RotatedKeys } from '../../cli/toolledger.js';
import { decodeMasterKey } from '../../platform/vault/masterKey/masterKey.js';
import { rotateMasterKey } from '../../platform/vault/masterKey/rotateMasterKey.js';
import { refuseMissingKeys } from '../owner/keysMatch.js';
import type { Session } from '../session.js';
import { keySource, ownedAlone } from './ownedAlone.js';

/**
 * Seals the keys with another master key.
 * @param newKey 32 bytes in base64; null makes one, where the master key lies in a file
 * @throws Fault `bad_master_key`, `no_new_master_key`, `keys_in_use` and those of the vault; nothing was changed then
 */
export function rotateKeys(session: Session, newKey: string | null): Promise<RotatedKeys> {
  const { files, config } = session;
  return ownedAlone(session, async () => {
    refuseMissingKeys(files);
    const decoded = newKey === null ? null : decodeMasterKey(newKey, 'The new master key');
    const swept = rotateMasterKey(keySource(files, config), decoded, randomBytes);
    return { masterKeyFile: config.masterKey === null ? files.masterKey : null, swept };
  });
}
