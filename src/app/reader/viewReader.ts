import { openSqliteReader } from '../../events/sqlite/reading/sqliteReader.js';
import type { ViewServices } from '../../operations/services.js';
import { systemClock } from '../../platform/time/clock.js';
import { counted } from '../../platform/text/counted.js';
import { openVaultReader } from '../../platform/vault/vaultReader.js';
import { openReadOnlyViews } from '../../projections/querying/readOnlyViews.js';
import { builtInTools } from '../../tools/builtin/all.js';
import { makeToolRegistry } from '../../tools/registry.js';
import type { Caller } from '../../tools/call.js';
import type { Session } from '../session.js';
import { localCaller } from './localCaller.js';

/** Services for operations that read views, in a process that does not own the data directory. */
export interface ViewReader {
  readonly services: ViewServices;
  readonly caller: Caller;
  close(): void;
}

/**
 * Opens the views as they are.
 * @param isFolded somebody has let them follow the ledger; else it is said how far they are behind
 */
export function openViewReader({ files, config, notice }: Session, isFolded: boolean): ViewReader {
  const ledger = openSqliteReader(files.ledger);
  const views = openReadOnlyViews({ directory: files.readModels, callText: config.callTextIndex, source: ledger });
  try {
    const keys = openVaultReader({ file: files.keys, masterKeyFile: files.masterKey, masterKey: config.masterKey });
    const behind = isFolded ? 0 : Math.max(0, ...views.behind().map(({ events }) => events));
    if (behind > 0) notice(`The views are ${counted(behind, 'event')} behind the ledger. Only a user who may write to ${files.directory} can bring them up to date.`);
    return {
      services: {
        views: { query: async (name, input) => views.query(name, input) },
        clock: systemClock,
        held: { hasSecret: async (ownerId, name) => keys.hasSecret(ownerId, name) },
        people: { findPerson: async (id) => keys.findSubject({ kind: 'discord', id }) },
        registry: makeToolRegistry(builtInTools),
        definitionPolicy: config.definitionPolicy,
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
