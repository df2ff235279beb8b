import type { AcceptedKeyLoss } from '../../cli/toolledger.js';
import { makeCommandHandler } from '../../commands/handler/ledgerCommandHandler.js';
import { ledgerPrivacyDecider, ledgerPrivacyStream } from '../../commands/ledgerPrivacy.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import { openSqliteStore } from '../../events/sqlite/openSqliteStore.js';
import { systemClock } from '../../platform/time/clock.js';
import { newId } from '../../platform/ids.js';
import { openVault } from '../../platform/vault/vault.js';
import { applyErasures, peopleWithoutKey, readErasures } from '../owner/erasures.js';
import { refuseLoss } from '../owner/loss.js';
import type { Session } from '../session.js';
import { keySource, ownedAlone } from './ownedAlone.js';

/**
 * Goes on without keys that are lost for good: records it, makes new keys where there are none, and enters everyone
 * whose key is lost as destroyed. Nothing that was sealed for them is readable ever again; when they come back, they are
 * somebody new.
 * @returns null when everyone of the ledger has a key or was erased; nothing was changed then
 * @throws Fault of the vault when there are keys that do not open: those must be put right, or taken away, first
 */
export function acceptKeyLoss(session: Session): Promise<AcceptedKeyLoss | null> {
  return ownedAlone(session, () => acceptAsOwner(session));
}

async function acceptAsOwner({ files, config }: Session): Promise<AcceptedKeyLoss | null> {
  const store = await openSqliteStore({ file: files.ledger, clock: systemClock, place: 'here' });
  try {
    await refuseLoss(store, files);
    const head = await store.head();
    if (head === null) return null;
    const vault = openVault({ ...keySource(files, config), clock: systemClock });
    try {
      await applyErasures(store, vault, await readErasures(store, vault));
      const lost = await peopleWithoutKey(store, vault, head.position);
      if (lost.length === 0) return null;
      const handler = makeCommandHandler({ store, keys: vault, catalogue, clock: systemClock, newId, runner: newId(), cacheSize: 1, soleWriter: true });
      const actor = await vault.subjectFor({ kind: 'operator', id: 'local' });
      const origin = { actor, door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;
      await handler.execute(ledgerPrivacyDecider, ledgerPrivacyStream, [{ type: 'AcceptKeyLoss', loss: { subjects: lost.length, upTo: head.position } }], origin);
      // From here on every start does it, should this one not come to it.
      await applyErasures(store, vault, await readErasures(store, vault));
      return { subjects: lost.length, upTo: head.position };
    } finally {
      vault.close();
    }
  } finally {
    await store.close();
  }
}
