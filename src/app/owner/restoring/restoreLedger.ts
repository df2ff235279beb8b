import { existsSync } from 'node:fs';
import type { RestoredLedger } from '../../../cli/toolledger.js';
import { systemSubject } from '../../../events/envelope.js';
import { copyLedger } from '../../../events/sqlite/copying/copyLedger.js';
import { boxOwners } from '../../../events/sqlite/reading/boxOwners.js';
import { openSqliteReader } from '../../../events/sqlite/reading/sqliteReader.js';
import { ledgerFormat } from '../../../events/sqlite/schema.js';
import type { Damage } from '../../../events/sqlite/verifying/damage.js';
import { verifyLedger } from '../../../events/sqlite/verifying/verifyLedger.js';
import { isStoreFailure } from '../../../events/storeError.js';
import { Fault } from '../../../platform/fault.js';
import { fileSize } from '../../../platform/files/fileSize.js';
import { refuseDraftName, refuseIrregular } from '../../../platform/files/regularFile.js';
import { removeDatabase, replaceDatabase } from '../../../platform/sqlite/replaceDatabase.js';
import { destroyedIn } from '../../../platform/vault/destroySubjects.js';
import { openVaultReader, type VaultReader } from '../../../platform/vault/vaultReader.js';
import { discardViews } from '../../../projections/readModel/loss.js';
import { lastKnownEpoch } from '../../../reactors/sealing/checking/sealLoss.js';
import { notABackup } from '../../notABackup.js';
import type { Session } from '../../session.js';
import { withOwnership } from '../ownership.js';
import { sealFilesOf } from '../sealing.js';
import { beginEpoch } from './beginEpoch.js';
import type { LedgerFacts } from './ledgerFacts.js';
import { outsideHeads } from './outsideHeads.js';
import { factsOf, presentLedger } from './presentLedger.js';
import { whatIsLost } from './whatIsLost.js';

export interface RestoreOptions {
  /** Take the place of a ledger that is there. */
  readonly force: boolean;
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal: AbortSignal;
}

/** How many events are looked at to see whose ledger it is. */
const lookedAt = 256;

/**
 * Puts a backup in the place of the ledger: checks every event of a copy, begins the next epoch in it, throws the views
 * away, and only then gives the copy the ledger's name. Broken off anywhere, the old ledger is still there and whole.
 * Compares the backup with the checkpoints outside of it and with the ledger that it replaces, and says what is lost.
 * @throws Fault `ledger_exists`, `ledger_in_use`, `not_a_backup`, `backup_damaged` (also when its events are not those that were signed), and those of `copyLedger` and the vault
 */
export async function restoreLedger(session: Session, backup: string, options: RestoreOptions): Promise<RestoredLedger> {
  return withOwnership(session, options.signal, {
    owned: () => restoreAsOwner(session, backup, options),
    connected: () => Promise.reject(new Fault('failed', 'ledger_in_use', `${session.files.directory} is being served. Stop \`toolledger serve\`, then restore.`)),
  });
}

async function restoreAsOwner(session: Session, backup: string, options: RestoreOptions): Promise<RestoredLedger> {
  const { force, onProgress, signal } = options;
  const { files, config } = session;
  if (!force && fileSize(files.ledger) > 0) {
    throw new Fault('usage', 'ledger_exists', `${files.ledger} is there and is not replaced. Restore into another directory with --data, or replace it with --force.`, { file: files.ledger });
  }
  if (!existsSync(backup)) throw new Fault('usage', 'no_such_file', `${backup} is not there. Name a file that \`toolledger ledger backup\` made.`, { file: backup });
  refuseIrregular(backup, 'The backup');
  if (fileSize(backup) === 0) throw notABackup(backup, 'ledger');
  const draft = `${files.ledger}.restore`;
  refuseDraftName(backup, draft);
  const keys = openVaultReader({ file: files.keys, masterKeyFile: files.masterKey, masterKey: config.masterKey });
  try {
    removeDatabase(draft);
    await copied(backup, draft, signal);
    const kept = await factsOfCopy(draft, backup, options);
    const present = await presentLedger(files.ledger);
    const seals = sealFilesOf(session);
    const { newest, covering } = await outsideHeads(seals, kept, [...kept.seals.keys, ...(present.facts?.seals.keys ?? [])]);
    const heads = [...kept.seals.heads, ...(covering === null ? [] : [{ ...covering, recorded: true }])].sort((a, b) => a.size - b.size);
    const { events, damage } = await verifyLedger(draft, onProgress, signal, { heads, tiles: null, from: 0, past: [], isPart: true });
    if (damage !== null) throw backupDamaged(backup, damage);
    refuseForeign(draft, keys, backup, files.keys);
    const erased = [...new Set([...(present.facts?.erased ?? []), ...destroyedIn(files.keys)])].filter((subject) => !kept.erased.has(subject));
    const epoch = await beginEpoch(draft, {
      lastEpoch: await lastKnownEpoch(seals),
      replaced: present.head,
      actor: keys.findSubject({ kind: 'operator', id: 'local' }) ?? systemSubject,
      erased,
    });
    const readable = readableWith(draft, keys);
    discardViews(files.readModels);
    replaceDatabase(draft, files.ledger, ledgerFormat);
    return {
      events,
      epoch,
      newest,
      lacking: Math.max(0, (newest?.size ?? 0) - events),
      agreesWith: covering && { epoch: covering.epoch, size: covering.size },
      replaced: present.state,
      lost: present.facts && whatIsLost(present.facts, kept),
      erased,
      ...readable,
      hasKeys: fileSize(files.keys) > 0,
    };
  } finally {
    keys.close();
    removeDatabase(draft);
  }
}

/** A ledger of which the keys know nobody is another one's. */
function refuseForeign(draft: string, keys: VaultReader, backup: string, keysFile: string): void {
  const ledger = openSqliteReader(draft);
  try {
    const people = new Set(ledger.readAll(null, lookedAt).flatMap(({ actor, onBehalfOf }) => [actor, onBehalfOf]).filter((subject) => subject !== null && subject !== systemSubject));
    if (people.size === 0 || fileSize(keysFile) === 0 || [...people].some((subject) => subject !== null && keys.knows(subject))) return;
    throw new Fault('failed', 'foreign_backup', `${backup} is not a backup of this ledger: ${keysFile} knows nobody in it. Nothing was changed. Restore it into another directory with --data, or bring its keys first with \`toolledger keys restore FILE --force\`.`, { file: backup });
  } finally {
    ledger.close();
  }
}

/** Where what the copy has on record cannot be read, the check of its events says why. */
async function factsOfCopy(draft: string, backup: string, { onProgress, signal }: RestoreOptions): Promise<LedgerFacts> {
  try {
    return await factsOf(draft);
  } catch (error) {
    const { damage } = await verifyLedger(draft, onProgress, signal);
    throw damage === null ? error : backupDamaged(backup, damage);
  }
}

async function copied(backup: string, draft: string, signal: AbortSignal): Promise<void> {
  try {
    await copyLedger(backup, draft, signal);
  } catch (error) {
    if (isStoreFailure(error, 'foreign_file')) throw notABackup(backup, 'ledger');
    if (!isStoreFailure(error, 'corrupt')) throw error;
    throw backupDamaged(backup, { position: error.failure.position, kind: 'structure', detail: error.failure.detail });
  }
}

/** Whose sealed values can be opened with the keys that are here. */
function readableWith(ledger: string, keys: VaultReader): Pick<RestoredLedger, 'people' | 'unreadable'> {
  const owners = boxOwners(ledger);
  const sealed = owners.filter(({ subject }) => keys.keyOf(subject) === null);
  return { people: owners.length, unreadable: { people: sealed.length, events: sealed.reduce((sum, { events }) => sum + events, 0) } };
}

function backupDamaged(backup: string, { position, kind, detail }: Damage): Fault {
  const at = position === null ? '' : ` at position ${position}`;
  const look = kind === 'sealed' ? ' To look at it nevertheless, restore it into another directory with --data, without CHECKPOINT_LOG.' : '';
  return new Fault('damaged', 'backup_damaged', `${backup} is damaged${at} (${detail}). Nothing was changed; restore another backup.${look}`, { position, kind });
}
