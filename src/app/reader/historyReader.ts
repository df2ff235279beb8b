import { openSqliteReader } from '../../events/sqlite/reading/sqliteReader.js';
import type { HistoryServices } from '../../operations/export/historyServices.js';
import { openVaultReader } from '../../platform/vault/vaultReader.js';
import { openReadOnlyViews } from '../../projections/querying/readOnlyViews.js';
import type { Caller } from '../../tools/call.js';
import type { Session } from '../session.js';
import { openBoxesWith } from './boxes.js';
import { asynchronous } from './ledgerReader.js';
import { localCaller } from './localCaller.js';

/** Services for operations that go through the whole ledger, beside its owner or without one. */
export interface HistoryReader {
  readonly services: HistoryServices;
  readonly caller: Caller;
  close(): void;
}

/** @throws EventStoreError `cannot_open` and others; Fault of the vault and of views that are not there */
export function openHistoryReader({ files, config }: Session): HistoryReader {
  const ledger = openSqliteReader(files.ledger);
  const views = openReadOnlyViews({ directory: files.readModels, callText: config.callTextIndex, source: ledger });
  try {
    const keys = openVaultReader({ file: files.keys, masterKeyFile: files.masterKey, masterKey: config.masterKey });
    return {
      services: {
        ledger: asynchronous(ledger),
        views: { query: async (name, input) => views.query(name, input) },
        openBoxes: openBoxesWith(keys),
        hasKey: (subject) => keys.keyOf(subject) !== null,
        lastBefore: (time) => ledger.lastBefore(time),
      },
      caller: localCaller(keys),
      close() {
        keys.close();
        views.close();
        ledger.close();
      },
    };
  } catch (error) {
    views.close();
    ledger.close();
    throw error;
  }
}
