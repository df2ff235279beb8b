import { existsSync } from 'node:fs';
import { catalogue } from '../../events/catalogue/catalogue.js';
import { openSqliteReader } from '../../events/sqlite/reading/sqliteReader.js';
import { openVaultReader, type VaultReader } from '../../platform/vault/vaultReader.js';
import { boxOpener, type SubjectKeys } from './boxOpener.js';
import type { EventSource } from './eventSource.js';
import type { BoxOpener } from '../projection.js';

/** What a thread needs to read the ledger and open boxes; plain data that crosses threads. */
export interface LedgerAccess {
  readonly engine: { readonly kind: 'sqlite'; readonly file: string };
  readonly vault: { readonly file: string; readonly masterKeyFile: string; readonly masterKey: string | null };
  /** Where read models lie. */
  readonly directory: string;
  readonly callText: boolean;
}

/** Opens the ledger and the keys in the calling thread. */
export function openInputs({ engine, vault }: LedgerAccess): { readonly source: EventSource; readonly boxes: BoxOpener; close(): void } {
  const source = openSqliteReader(engine.file);
  const keys = keysFrom(vault);
  return {
    source,
    boxes: boxOpener(keys, catalogue),
    close() {
      keys.close();
      source.close();
    },
  };
}

function keysFrom(vault: LedgerAccess['vault']): SubjectKeys & { close(): void } {
  let reader: VaultReader = openVaultReader(vault);
  let there = existsSync(vault.file);
  // Keys of the page at hand: forgotten at the end of the turn, so that an erased one is gone at once.
  const kept = new Map<string, Uint8Array>();
  const find = (subject: string): Uint8Array | null => {
    if (!there && existsSync(vault.file)) {
      // A vault that was not there stays empty for its reader.
      reader.close();
      reader = openVaultReader(vault);
      there = true;
    }
    return reader.keyOf(subject);
  };
  return {
    keyOf(subject) {
      const known = kept.get(subject);
      if (known !== undefined) return known;
      const key = find(subject);
      if (kept.size === 0) setImmediate(() => kept.clear());
      if (key !== null) kept.set(subject, key);
      return key;
    },
    close: () => reader.close(),
  };
}
