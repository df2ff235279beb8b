import { catalogue } from '../events/catalogue/catalogue.js';
import { openSqliteReader } from '../events/sqlite/sqliteReader.js';
import { openVaultReader, type VaultReader } from '../platform/vault/vaultReader.js';
import { boxOpener } from './boxOpener.js';
import type { EventSource } from './eventSource.js';
import type { BoxOpener } from './projection.js';

/** What a thread needs to read the ledger and open boxes; plain data that crosses threads. */
export interface LedgerAccess {
  readonly engine: { readonly kind: 'sqlite'; readonly file: string };
  readonly vault: { readonly file: string; readonly masterKeyFile: string; readonly masterKey: string | null };
  /** Where read models lie. */
  readonly directory: string;
  readonly callText: boolean;
}

/** Opens the ledger and the keys in the calling thread. */
export function openInputs({ engine, vault }: LedgerAccess): { readonly source: EventSource; readonly boxes: BoxOpener } {
  let reader: VaultReader = openVaultReader(vault);
  let opened = false;
  return {
    source: openSqliteReader(engine.file),
    boxes: boxOpener(
      {
        keyOf(subject) {
          const key = reader.keyOf(subject);
          if (key !== null || opened) return key;
          // A vault that is not there yet stays empty for its reader: look again until it gave a first key.
          reader.close();
          reader = openVaultReader(vault);
          const found = reader.keyOf(subject);
          opened = found !== null;
          return found;
        },
      },
      catalogue,
    ),
  };
}
