import { backupLedger } from '../../events/sqlite/copying/backupLedger.js';
import { openSqliteReader } from '../../events/sqlite/reading/sqliteReader.js';
import type { LedgerServices } from '../../operations/services.js';
import { systemClock } from '../../platform/time/clock.js';
import { newId } from '../../platform/ids.js';
import { openVaultReader } from '../../platform/vault/vaultReader.js';
import { builtInTools } from '../../tools/builtin/all.js';
import { makeToolRegistry } from '../../tools/registry.js';
import type { Caller } from '../../tools/call.js';
import { openBoxesWith } from './boxes.js';
import { refuseLoss } from '../owner/loss.js';
import { sealFilesOf } from '../owner/sealing.js';
import { verifyAll } from './verifyAll.js';
import type { Session } from '../session.js';
import { localCaller } from './localCaller.js';

/** Services for operations that read the ledger itself, beside its owner or without one. */
export interface LedgerReader {
  readonly services: LedgerServices;
  readonly caller: Caller;
  close(): void;
}

/** @throws EventStoreError `cannot_open` and others; Fault of the vault */
export function openLedgerReader(session: Session): LedgerReader {
  const { files, config } = session;
  const ledger = openSqliteReader(files.ledger);
  try {
    const keys = openVaultReader({ file: files.keys, masterKeyFile: files.masterKey, masterKey: config.masterKey });
    return {
      services: {
        ledger: asynchronous(ledger),
        clock: systemClock,
        people: { findPerson: async (id) => keys.findSubject({ kind: 'discord', id }) },
        openBoxes: openBoxesWith(keys),
        registry: makeToolRegistry(builtInTools),
        definitionPolicy: config.definitionPolicy,
        mcpCooldownMs: config.mcpFailureCooldownMs,
        async verify(options, onProgress, signal) {
          const report = await verifyAll({ file: files.ledger, reader: asynchronous(ledger), seals: sealFilesOf(session) }, options, onProgress, signal);
          if (report.damage === null) await refuseLoss(asynchronous(ledger), files);
          return report;
        },
        async backup(file, onProgress, signal) {
          await refuseLoss(asynchronous(ledger), files);
          return backupLedger(files.ledger, file, { suffix: newId(), onProgress, signal });
        },
      },
      caller: localCaller(keys),
      close() {
        keys.close();
        ledger.close();
      },
    };
  } catch (error) {
    ledger.close();
    throw error;
  }
}

/** A reader that answers at once, as those who can wait take it. */
export function asynchronous(ledger: ReturnType<typeof openSqliteReader>): LedgerServices['ledger'] {
  return {
    readStream: async (stream, from, limit) => ledger.readStream(stream, from, limit),
    readAll: async (after, limit) => ledger.readAll(after, limit),
    head: async () => ledger.head(),
    leafAt: async (position) => ledger.leafAt(position),
    countAfter: async (after) => ledger.countAfter(after),
  };
}
