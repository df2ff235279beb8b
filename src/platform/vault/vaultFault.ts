import { Fault } from '../fault.js';
import { sqliteCode } from '../sqlite/sqliteFault.js';
import { vaultDamaged } from './masterKey/rootKey.js';

/** Looks something up in a vault. @throws Fault `vault_damaged` when SQLite cannot read the file */
export function readingVault<T>(file: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    const code = sqliteCode(error);
    throw code === null ? error : vaultDamaged(file, `it cannot be read (${code})`);
  }
}

/** Changes a vault. @throws Fault `keys_not_written`, or `vault_damaged` when that is why */
export function writingVault<T>(file: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw notWritten(file, error);
  }
}

function notWritten(file: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === null) return error;
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return vaultDamaged(file, `it cannot be written (${code})`);
  return new Fault(
    'failed',
    'keys_not_written',
    `${file} could not be written (${code}). Nothing was stored; check that the disk has space and works, then try again.`,
    { file, cause: code },
    { cause: error },
  );
}
