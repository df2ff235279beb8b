import { catalogue } from '../../events/catalogue/catalogue.js';
import { openSqliteStore } from '../../events/sqlite/openSqliteStore.js';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../commands/ledgerOperations.js';
import { makeCommandHandler } from '../../commands/handler/ledgerCommandHandler.js';
import type { AcceptedLoss } from '../../cli/toolledger.js';
import { systemClock } from '../../platform/clock.js';
import { newId } from '../../platform/ids.js';
import { openVault } from '../../platform/vault/vault.js';
import { checkLoss, discardViews } from '../../projections/readModel/loss.js';
import { refuseMissingKeys } from './keysMatch.js';
import { withOwnership } from './ownership.js';
import type { Session } from '../session.js';

/**
 * Goes on with a ledger that has lost events: records what is known to be missing, begins the next epoch, and throws
 * the views away, which are built anew at the next start.
 * @returns null when nothing is missing; nothing was changed then
 */
export async function acceptLoss(session: Session): Promise<AcceptedLoss | null> {
  return withOwnership(session, new AbortController().signal, {
    owned: () => acceptAsOwner(session),
    // Somebody serves it, which nobody can while something is missing.
    connected: () => Promise.resolve(null),
  });
}

async function acceptAsOwner({ files, config }: Session): Promise<AcceptedLoss | null> {
  refuseMissingKeys(files);
  const vault = openVault({ file: files.keys, masterKeyFile: files.masterKey, masterKey: config.masterKey, clock: systemClock });
  try {
    const store = await openSqliteStore({ file: files.ledger, clock: systemClock });
    try {
      const loss = await checkLoss(store, files.readModels);
      if (loss === null) return null;
      const head = await store.head();
      const kept = head === null ? null : { position: head.position, leaf: Buffer.from(head.leaf).toString('hex') };
      const handler = makeCommandHandler({ store, keys: vault, catalogue, clock: systemClock, newId, runner: newId(), cacheSize: 1, soleWriter: true });
      const missing = { position: loss.position, leaf: loss.leaf, knownFrom: loss.view };
      const actor = await vault.subjectFor({ kind: 'operator', id: 'local' });
      const { state } = await handler.execute(ledgerOperationsDecider, ledgerOperationsStream, [{ type: 'AcceptLoss', loss: { kept, missing } }], {
        actor,
        door: 'cli',
        onBehalfOf: null,
        workspace: 'local',
        correlation: null,
        causation: null,
      });
      discardViews(files.readModels);
      return { kept: kept?.position ?? null, missing: missing.position, epoch: state.epoch };
    } finally {
      await store.close();
    }
  } finally {
    vault.close();
  }
}
