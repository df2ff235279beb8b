import type { RestoredLedger } from '../../../cli/toolledger.js';
import { openSqliteReader } from '../../../events/sqlite/reading/sqliteReader.js';
import { fileSize } from '../../../platform/files/fileSize.js';
import { asynchronous } from '../../reader/ledgerReader.js';
import { newestOf, type Newest } from '../newest.js';
import { readFacts, type LedgerFacts } from './ledgerFacts.js';

/** The ledger that is about to be replaced, as far as it can be read: what cannot be is often why somebody restores. */
export interface PresentLedger {
  readonly state: RestoredLedger['replaced'];
  readonly head: Newest | null;
  readonly facts: LedgerFacts | null;
}

/** Never throws. */
export async function presentLedger(file: string): Promise<PresentLedger> {
  if (fileSize(file) === 0) return { state: 'none', head: null, facts: null };
  const head = headOf(file);
  try {
    return { state: 'compared', head, facts: await factsOf(file) };
  } catch {
    return { state: 'unreadable', head, facts: null };
  }
}

/** What a closed ledger has on record. @throws EventStoreError; Fault of the catalogue */
export async function factsOf(file: string): Promise<LedgerFacts> {
  const ledger = openSqliteReader(file);
  try {
    return await readFacts(asynchronous(ledger));
  } finally {
    ledger.close();
  }
}

function headOf(file: string): Newest | null {
  try {
    const ledger = openSqliteReader(file);
    try {
      return newestOf(ledger.head());
    } finally {
      ledger.close();
    }
  } catch {
    return null;
  }
}
