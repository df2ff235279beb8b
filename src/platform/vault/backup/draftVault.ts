import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from '../../durableFile.js';
import { Fault } from '../../fault.js';
import { cutLog } from '../../sqlite/sweep.js';
import { openDatabase } from '../../sqlite/openDatabase.js';
import { vaultFormat } from '../vaultFormat.js';

const companions = ['-wal', '-shm', '-journal'];

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
  foldIn(file);
  // A write-ahead log of the old file would be taken for one of the new file.
  for (const suffix of companions) rmSync(`${file}${suffix}`, { force: true });
  renameSync(draftVault(file), file);
  syncDirectory(dirname(file));
}

/** Removes what a restore that was broken off has left: it may hold keys of people who are erased. */
export function discardDraft(file: string): void {
  for (const suffix of ['', ...companions]) rmSync(`${draftVault(file)}${suffix}`, { force: true });
}

/** So that the old file is whole without its log, should the machine stop before it is replaced. */
function foldIn(file: string): void {
  if (!existsSync(`${file}-wal`)) return;
  try {
    const db = openDatabase(file, 'writer', vaultFormat);
    cutLog(db);
    db.close();
  } catch {
    // What cannot be opened is being replaced for that.
  }
}
