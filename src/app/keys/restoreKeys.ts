import { existsSync } from 'node:fs';
import type { RestoredKeys } from '../../cli/toolledger.js';
import { openSqliteStore } from '../../events/sqlite/openSqliteStore.js';
import { systemClock } from '../../platform/time/clock.js';
import { Fault } from '../../platform/fault.js';
import { fileSize } from '../../platform/files/fileSize.js';
import { refuseIrregular } from '../../platform/files/regularFile.js';
import { findMasterKeys } from '../../platform/vault/masterKey/masterKey.js';
import { checkVault } from '../../platform/vault/backup/copyVault.js';
import { discardDraft, draftFromBackup, installDraft } from '../../platform/vault/backup/draftVault.js';
import { openVault, type Vault } from '../../platform/vault/vault.js';
import { applyErasures, readErasures } from '../owner/erasures.js';
import { refuseForeignKeys } from '../owner/keysMatch.js';
import { destroyedIn } from '../../platform/vault/destroySubjects.js';
import { notABackup } from '../notABackup.js';
import type { Session } from '../session.js';
import { keySource, ownedAlone } from './ownedAlone.js';

/**
 * Puts a backup in the place of the keys. The copy is checked, and the keys of everyone who was erased since, by the
 * ledger or by the keys that are replaced, are destroyed in it, before it takes the place: an old backup brings nobody back.
 * @param force also over keys that are there, and when the backup lacks people who acted lately
 * @throws Fault `keys_exist`, `no_such_file`, `cannot_read_backup`, `not_a_backup`, `wrong_master_key`, `vault_damaged`, `keys_missing`; nothing was
 *   changed then
 */
export function restoreKeys(session: Session, backup: string, force: boolean): Promise<RestoredKeys> {
  return ownedAlone(session, () => restoreAsOwner(session, backup, force));
}

async function restoreAsOwner({ files, config }: Session, backup: string, force: boolean): Promise<RestoredKeys> {
  if (!force && fileSize(files.keys) > 0) {
    throw new Fault('usage', 'keys_exist', `${files.keys} is there and is not replaced: whatever it holds and the backup does not would be lost. Make a backup of it, then use --force.`, { file: files.keys });
  }
  const source = keySource(files, config);
  if (!existsSync(backup)) throw new Fault('usage', 'no_such_file', `${backup} is not there. Name a file that \`toolledger keys backup\` made.`, { file: backup });
  refuseIrregular(backup, 'The backup');
  if (fileSize(backup) === 0) throw notABackup(backup, 'keys');
  const draft = draftFromBackup(backup, files.keys);
  try {
    checked(draft, backup, () => checkVault(draft, findMasterKeys({ ...source, file: draft })));
    const people = await bringUpToDate(draft, files, config, force);
    installDraft(files.keys);
    return people;
  } finally {
    discardDraft(files.keys);
  }
}

async function bringUpToDate(draft: string, files: Session['files'], config: Session['config'], force: boolean): Promise<RestoredKeys> {
  const vault = openVault({ ...keySource(files, config), file: draft, clock: systemClock });
  try {
    const before = vault.people();
    await vault.destroySubjects(destroyedIn(files.keys));
    if (fileSize(files.ledger) > 0) await followLedger(vault, files, force);
    return { people: vault.people(), destroyed: before - vault.people() };
  } finally {
    vault.close();
  }
}

async function followLedger(vault: Vault, files: Session['files'], force: boolean): Promise<void> {
  const store = await openSqliteStore({ file: files.ledger, clock: systemClock, place: 'here' });
  try {
    const erasures = await readErasures(store, vault);
    if (!force) await refuseForeignKeys(store, vault, files, erasures);
    await applyErasures(store, vault, erasures);
  } finally {
    await store.close();
  }
}

/** What is wrong with the draft is wrong with the backup, which is the file that somebody named. */
function checked(draft: string, backup: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === 'foreign_file') throw notABackup(backup, 'keys');
    throw new Fault(error.kind, error.code, error.message.replaceAll(draft, backup), { ...error.details, file: backup }, { cause: error });
  }
}
