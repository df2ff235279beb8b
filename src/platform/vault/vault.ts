import { randomBytes as osRandomBytes, randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { Clock } from '../time/clock.js';
import { Fault } from '../fault.js';
import type { NewId } from '../ids.js';
import { ownChanges } from '../sqlite/changeWatch.js';
import { openDatabase } from '../sqlite/openDatabase.js';
import { faultOf } from '../sqlite/sqliteFault.js';
import { copyVault, type VaultCopy } from './backup/copyVault.js';
import { destroySubjects, sweepDestroyed } from './destroySubjects.js';
import { erasedUpTo, setErasedUpTo } from './erasedUpTo.js';
import { identityIndex, type Identity } from './identityIndex.js';
import { keyRing, subjectPlace, wrappingKey } from './keyRing.js';
import { findOrMakeMasterKeys, keyBytes, type MasterKeySource } from './masterKey/masterKey.js';
import { findOrMakeRootKey, type OpenedRoot } from './masterKey/rootKey.js';
import { settleRotation } from './masterKey/rotateMasterKey.js';
import { keyFor, newNonce, seal } from './seal.js';
import { secretsIn, type Secrets } from './secrets.js';
import { readFact, writeFact } from './vaultFacts.js';
import { readingVault, writingVault } from './vaultFault.js';
import { countPeople, vaultFormat } from './vaultFormat.js';

/**
 * Keeps who a subject is, subjects' keys, and secrets. Every change is on the disk when its promise resolves; one
 * that cannot be stored is Fault `keys_not_written`, and nothing of it was.
 */
export interface Vault extends Secrets {
  /** The random id that stands for a person; made, with its key, at the first time. Calls at once get the same. */
  subjectFor(identity: Identity): Promise<string>;
  /** The subject of a person the product has met, or null. */
  findSubject(identity: Identity): Promise<string | null>;
  /**
   * The key of a subject.
   * @returns 32 bytes (shared: do not change them), or null when the subject was erased
   * @throws Fault `unknown_subject` for an id that `subjectFor` never gave, `vault_damaged`
   */
  keyOf(subject: string): Promise<Uint8Array | null>;
  /** How many people have a key. */
  people(): number;
  /** Whether a subject is in the vault, with a key or destroyed. */
  knows(subject: string): Promise<boolean>;
  /**
   * Destroys the keys of people and who they were, in the file and what is left of it beside it. Subjects that are not
   * known are entered as destroyed; those that are destroyed already are left alone.
   * @returns false when a reader of the file is in the way, so that old pages may still hold sealed keys; the next call,
   *   also one without subjects, tries again
   */
  destroySubjects(subjects: readonly string[]): Promise<boolean>;
  /** Up to which position of the ledger people without a key were entered as destroyed; null: that never happened. */
  lostUpTo(): string | null;
  setLostUpTo(position: string): Promise<void>;
  /**
   * How far the erasures of the ledger are carried out in this file, as it was set; null: never set, or fewer people are
   * destroyed than were then, as when a newer write-ahead log was left beside an older file.
   */
  erasedUpTo(): string | null;
  setErasedUpTo(mark: string): Promise<void>;
  /** Copies everything into a new file, checks it, and remembers that there is a backup. Throws as `copyVault`. */
  backUp(file: string): Promise<VaultCopy>;
  close(): void;
}

/** What `openVault` needs; ids and randomness come from the operating system unless tests say otherwise. */
export interface VaultOptions extends MasterKeySource {
  readonly clock: Clock;
  /** Makes subject ids: they must tell nothing, so random ones. */
  readonly newId?: NewId;
  readonly randomBytes?: (size: number) => Buffer;
}

/**
 * Opens `keys.db` for writing, and makes it and the master key file at the first start.
 * @throws Fault `missing_master_key`, `wrong_master_key`, `bad_master_key` (nothing was changed), `vault_damaged`, and
 *   those of `openDatabase`
 */
export function openVault(options: VaultOptions): Vault {
  const randomBytes = options.randomBytes ?? osRandomBytes;
  const masterKeys = findOrMakeMasterKeys(options, randomBytes);
  const db = openDatabase(options.file, 'writer', vaultFormat);
  try {
    db.pragma('secure_delete = ON');
    const opened = findOrMakeRootKey(db, masterKeys, randomBytes);
    settleRotation(options, opened.masterKey);
    return vaultOf(db, opened, { clock: options.clock, newId: options.newId ?? randomUUID, randomBytes });
  } catch (error) {
    db.close();
    throw faultOf(error, options.file);
  }
}

function vaultOf(
  db: Database.Database,
  { root: rootKey, masterKey }: OpenedRoot,
  { clock, newId, randomBytes }: { clock: Clock; newId: NewId; randomBytes: (size: number) => Buffer },
): Vault {
  const keys = {
    identities: keyFor(rootKey, 'identities'),
    subjects: wrappingKey(rootKey),
  };
  const findKey = keyRing(db, rootKey, ownChanges(db));
  const { lookupOf, find } = identityIndex(db, rootKey);
  const insertSubject = db.prepare('INSERT INTO subjects (subject, wrapped_key, created_at) VALUES (?, ?, ?)');
  const insertIdentity = db.prepare('INSERT INTO identities (lookup, subject, sealed_identity) VALUES (?, ?, ?)');

  const sealed = (key: Buffer, place: readonly string[], plain: Uint8Array) => seal(key, place, plain, newNonce(randomBytes));
  const make = db.transaction((identity: Identity): string => {
    const found = find(identity);
    if (found !== null) return found;
    const subject = newId();
    const plain = Buffer.from(JSON.stringify({ kind: identity.kind, id: identity.id }));
    insertSubject.run(subject, sealed(keys.subjects, subjectPlace(subject), randomBytes(keyBytes)), clock.now());
    insertIdentity.run(lookupOf(identity), subject, sealed(keys.identities, ['identity', subject], plain));
    return subject;
  });
  const read = <T>(look: () => T): T => readingVault(db.name, look);
  const write = <T>(change: () => T): T => writingVault(db.name, change);

  return {
    subjectFor: async (identity) => read(() => find(identity)) ?? write(() => make.immediate(identity)),
    findSubject: async (identity) => read(() => find(identity)),
    keyOf: async (subject) => {
      const found = read(() => findKey(subject));
      if (found.kind === 'unknown') {
        throw new Fault('failed', 'unknown_subject', `Subject ${subject} is not in ${db.name}. If the keys were restored, restore a backup that is as new as the ledger.`, { subject });
      }
      return found.kind === 'key' ? found.key : null;
    },
    people: () => read(() => countPeople(db)),
    knows: async (subject) => read(() => findKey(subject)).kind !== 'unknown',
    destroySubjects: async (subjects) =>
      write(() => {
        destroySubjects(db, subjects, clock.now());
        return sweepDestroyed(db);
      }),
    lostUpTo: () => read(() => readFact(db, 'lost_up_to')),
    setLostUpTo: async (position) => write(() => writeFact(db, 'lost_up_to', position)),
    erasedUpTo: () => read(() => erasedUpTo(db)),
    setErasedUpTo: async (mark) => write(() => setErasedUpTo(db, mark)),
    backUp: async (file) => {
      const copy = copyVault(db, file, [masterKey], randomBytes(8).toString('hex'));
      write(() => writeFact(db, 'backed_up_at', String(clock.now())));
      return copy;
    },
    ...secretsIn({ db, rootKey, clock, newId, randomBytes }),
    close: () => {
      db.close();
    },
  };
}
