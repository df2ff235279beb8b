import { catalogue } from '../../events/catalogue/catalogue.js';
import { openSqliteStore } from '../../events/sqlite/openSqliteStore.js';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../commands/ledgerOperations.js';
import { makeCommandHandler } from '../../commands/handler/ledgerCommandHandler.js';
import type { AcceptedLoss } from '../../cli/toolledger.js';
import { systemClock } from '../../platform/time/clock.js';
import { newId } from '../../platform/ids.js';
import { openVault } from '../../platform/vault/vault.js';
import { checkLoss, discardViews } from '../../projections/readModel/loss.js';
import { sealedSoFar } from '../../reactors/sealing/newestSeal.js';
import { findSealingKeys, holdsKey } from '../../reactors/sealing/sealingKeys.js';
import { findSealLoss, lastKnownEpoch } from '../../reactors/sealing/checking/sealLoss.js';
import { refuseMissingKeys } from './keysMatch.js';
import { newestOf } from './newest.js';
import { withOwnership } from './ownership.js';
import { sealFilesOf } from './sealing.js';
import type { Session } from '../session.js';

/**
 * Goes on with a ledger that has lost events, or the key that seals it: records what is known to be missing, begins the
 * next epoch, and throws the views away, which are built anew at the next start.
 * @returns null when nothing is missing; nothing was changed then
 */
export async function acceptLoss(session: Session): Promise<AcceptedLoss | null> {
  return withOwnership(session, new AbortController().signal, {
    owned: () => acceptAsOwner(session),
    // Somebody serves it, which nobody can while something is missing.
    connected: () => Promise.resolve(null),
  });
}

async function acceptAsOwner(session: Session): Promise<AcceptedLoss | null> {
  const { files, config } = session;
  refuseMissingKeys(files);
  const vault = openVault({ file: files.keys, masterKeyFile: files.masterKey, masterKey: config.masterKey, clock: systemClock });
  try {
    const store = await openSqliteStore({ file: files.ledger, clock: systemClock, place: 'here' });
    try {
      const seals = sealFilesOf(session);
      const keys = await findSealingKeys(vault);
      const sealed = await sealedSoFar(store);
      const viewLoss = await checkLoss(store, files.readModels);
      const sealLoss = await findSealLoss(store, sealed, seals, keys);
      const vouched = sealed.key === null || holdsKey(keys, sealed.key);
      const isKeyLost = !vouched && sealed.seal?.epoch === sealed.epoch;
      if (viewLoss === null && sealLoss === null && !isKeyLost) return null;
      const kept = newestOf(await store.head());
      const handler = makeCommandHandler({ store, keys: vault, catalogue, clock: systemClock, newId, runner: newId(), cacheSize: 1, soleWriter: true });
      const missing =
        viewLoss !== null
          ? { position: viewLoss.position, leaf: viewLoss.leaf, knownFrom: viewLoss.view }
          : sealLoss && { position: sealLoss.position, leaf: null, knownFrom: sealLoss.knownFrom };
      const checkpoint = sealLoss?.checkpoint ?? sealed.seal?.checkpoint ?? null;
      const actor = await vault.subjectFor({ kind: 'operator', id: 'local' });
      const { state } = await handler.execute(ledgerOperationsDecider, ledgerOperationsStream, [{ type: 'AcceptLoss', loss: { kept, missing, checkpoint, vouched }, lastEpoch: await lastKnownEpoch(seals) }], {
        actor,
        door: 'cli',
        onBehalfOf: null,
        workspace: 'local',
        correlation: null,
        causation: null,
      });
      discardViews(files.readModels);
      return { kept: kept?.position ?? null, missing: missing?.position ?? null, epoch: state.epoch };
    } finally {
      await store.close();
    }
  } finally {
    vault.close();
  }
}
