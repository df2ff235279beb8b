import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import { Fault } from '../../fault.js';
import { refuseDraftName, refuseIrregular } from '../../files/regularFile.js';
import { removeDatabase, replaceDatabase } from '../../sqlite/replaceDatabase.js';
import { vaultFormat } from '../vaultFormat.js';

/** Where a backup lies beside a vault until it takes the vault's place. Its keys count for nothing there. */
export function draftVault(file: string): string {
  return `${file}.restore`;
}

/**
 * Copies a backup beside the vault it is to replace (mode 0600).
 * @throws Fault `cannot_read_backup`
 */
export function draftFromBackup(backup: string, file: string): string {
  const draft = draftVault(file);
  refuseIrregular(backup, 'The backup');
  refuseDraftName(backup, draft);
  discardDraft(file);
  try {
    for (const suffix of ['', '-wal']) {
      if (suffix !== '' && !existsSync(`${backup}${suffix}`)) continue;
      copyFileSync(`${backup}${suffix}`, `${draft}${suffix}`);
      chmodSync(`${draft}${suffix}`, 0o600);
    }
    return draft;
  } catch (error) {
    const cause = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    discardDraft(file);
    throw new Fault('failed', 'cannot_read_backup', `${backup} cannot be copied (${cause}). Nothing was changed; name a file that \`toolledger keys backup\` made.`, { file: backup, cause }, { cause: error });
  }
}

/** Gives a closed draft the place of the vault, which nobody may have open. Whoever looks sees the one or the other. */
export function installDraft(file: string): void {
  replaceDatabase(draftVault(file), file, vaultFormat);
}

/** Removes what a restore that was broken off has left: it may hold keys of people who are erased. */
export function discardDraft(file: string): void {
  removeDatabase(draftVault(file));
}
