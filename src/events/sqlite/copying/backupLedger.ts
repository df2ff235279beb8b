import { statSync } from 'node:fs';
import { nameDraft, refuseExisting } from '../../../platform/files/durableFile.js';
import { Fault } from '../../../platform/fault.js';
import { removeDatabase } from '../../../platform/sqlite/replaceDatabase.js';
import { verifyLedger } from '../verifying/verifyLedger.js';
import { copyLedger } from './copyLedger.js';

/** A finished backup. */
export interface LedgerBackup {
  readonly events: number;
  readonly bytes: number;
}

export interface BackupOptions {
  /** Random: makes the name of the draft unlike any other. */
  readonly suffix: string;
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal: AbortSignal;
}

/**
 * Copies a ledger, checks every event of the copy, and only then gives it its name.
 * @throws Fault `file_exists`, `cannot_write_copy`, `backup_damaged` (the ledger itself is damaged); those of `copyLedger`
 *   and `verifyLedger`. No file is left then.
 */
export async function backupLedger(ledger: string, file: string, { suffix, onProgress, signal }: BackupOptions): Promise<LedgerBackup> {
  refuseExisting(file);
  const draft = `${file}.${suffix}.new`;
  try {
    await copyLedger(ledger, draft, signal);
    const { events, damage } = await verifyLedger(draft, onProgress, signal);
    if (damage !== null) {
      const at = damage.position === null ? '' : ` at position ${damage.position}`;
      throw new Fault('damaged', 'backup_damaged', `No backup was made: the copy of ${ledger} is damaged${at} (${damage.detail}), so the ledger is. Run \`toolledger ledger verify\`.`, { ...damage });
    }
    const { size: bytes } = statSync(draft);
    nameDraft(draft, file);
    return { events, bytes };
  } finally {
    removeDatabase(draft);
  }
}
