import type Database from 'better-sqlite3';
import type { Clock } from '../time/clock.js';
import type { NewId } from '../ids.js';
import { cutLog } from '../sqlite/sweep.js';
import { vaultDamaged } from './masterKey/rootKey.js';
import { keyFor, newNonce, seal, unseal } from './seal.js';
import { readingVault, writingVault } from './vaultFault.js';

/** A secret, and the version it has: another one after every write. */
export interface VersionedSecret {
  readonly value: string;
  readonly version: string;
}

/** Keeps secrets by an owner's id and a name, which are not sealed. A change is on the disk when its promise resolves. */
export interface Secrets {
  /** Stores a secret in place of what was there. */
  putSecret(ownerId: string, name: string, value: string): Promise<void>;
  /**
   * Stores a secret only when it still has the version it was read with.
   * @param version null: it must not be there yet
   * @returns the new version, or null when somebody else has changed it: then nothing was
   */
  swapSecret(ownerId: string, name: string, value: string, version: string | null): Promise<string | null>;
  /** Stores these secrets of an owner, by name, and removes all others; both or neither. */
  replaceSecrets(ownerId: string, secrets: ReadonlyMap<string, string>): Promise<void>;
  /** @throws Fault `vault_damaged` */
  getSecret(ownerId: string, name: string): Promise<string | null>;
  /** @throws Fault `vault_damaged` */
  readSecret(ownerId: string, name: string): Promise<VersionedSecret | null>;
  /** Whether there is a secret of this name; it is not opened. */
  hasSecret(ownerId: string, name: string): Promise<boolean>;
  /** Removes all secrets of an owner, or the one of this name, also from what is left in the file. */
  deleteSecrets(ownerId: string, name?: string): Promise<void>;
  /**
   * Removes a secret only when it still has the version it was read with.
   * @returns false when somebody else has changed it: then nothing was
   */
  dropSecret(ownerId: string, name: string, version: string): Promise<boolean>;
  /** Who has a secret of this name. */
  secretOwners(name: string): Promise<readonly string[]>;
  /**
   * Takes something for oneself for a while, unless another holder has it. A lease ends by itself, so a holder that died
   * keeps nobody out for longer, also when the clock is set back; it excludes nobody who does not ask for it.
   * @param forMs how long, in milliseconds, always the same for one name; one's own lease is prolonged
   */
  takeLease(name: string, holder: string, forMs: number): Promise<boolean>;
  /** Gives back one's own lease; another's stays. */
  releaseLease(name: string, holder: string): Promise<void>;
  /** Ends all leases. For who knows that nobody who had one is alive. */
  endLeases(): Promise<void>;
}

interface SecretParts {
  readonly db: Database.Database;
  readonly rootKey: Buffer;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly randomBytes: (size: number) => Buffer;
}

/** The secrets in an open vault. */
export function secretsIn({ db, rootKey, clock, newId, randomBytes }: SecretParts): Secrets {
  const key = keyFor(rootKey, 'secrets');
  const select = db.prepare<[string, string], { sealed_value: Buffer; version: string }>('SELECT sealed_value, version FROM secrets WHERE owner = ? AND name = ?');
  const selectOwners = db.prepare<[string], string>('SELECT owner FROM secrets WHERE name = ? ORDER BY owner').pluck();
  const upsert = db.prepare(
    'INSERT INTO secrets (owner, name, sealed_value, version) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET sealed_value = excluded.sealed_value, version = excluded.version',
  );
  const insert = db.prepare('INSERT INTO secrets (owner, name, sealed_value, version) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  const update = db.prepare('UPDATE secrets SET sealed_value = ?, version = ? WHERE owner = ? AND name = ? AND version = ?');
  const deleteAll = db.prepare('DELETE FROM secrets WHERE owner = ?');
  const deleteOne = db.prepare('DELETE FROM secrets WHERE owner = ? AND name = ?');
  const deleteVersion = db.prepare('DELETE FROM secrets WHERE owner = ? AND name = ? AND version = ?');
  const lease = db.prepare(
    'INSERT INTO leases (name, holder, ends_at) VALUES (@name, @holder, @endsAt) ON CONFLICT DO UPDATE SET holder = @holder, ends_at = @endsAt WHERE holder = @holder OR ends_at <= @now OR ends_at > @endsAt',
  );
  const anyLease = db.prepare('SELECT 1 FROM leases LIMIT 1');
  const releaseAll = db.prepare('DELETE FROM leases');
  const release = db.prepare('DELETE FROM leases WHERE name = ? AND holder = ?');

  const sealed = (owner: string, name: string, value: string): Buffer => seal(key, placeOf(owner, name), Buffer.from(value), newNonce(randomBytes));
  /** Old pages lie in the write-ahead log until it is folded in and cut. */
  function write<T>(change: () => T): T {
    const done = writingVault(db.name, change);
    cutLog(db);
    return done;
  }
  async function readSecret(owner: string, name: string): Promise<VersionedSecret | null> {
    const row = readingVault(db.name, () => select.get(owner, name));
    if (row === undefined) return null;
    const value = unseal(key, placeOf(owner, name), row.sealed_value);
    if (value === null) throw vaultDamaged(db.name, `secret ${name} of ${owner} does not open`);
    return { value: value.toString(), version: row.version };
  }

  return {
    putSecret: async (owner, name, value) => {
      write(() => upsert.run(owner, name, sealed(owner, name, value), newId()));
    },
    swapSecret: async (owner, name, value, version) => {
      const next = newId();
      const box = sealed(owner, name, value);
      const { changes } = write(() => (version === null ? insert.run(owner, name, box, next) : update.run(box, next, owner, name, version)));
      return changes === 0 ? null : next;
    },
    replaceSecrets: async (owner, secrets) => {
      const replace = db.transaction(() => {
        deleteAll.run(owner);
        for (const [name, value] of secrets) upsert.run(owner, name, sealed(owner, name, value), newId());
      });
      write(() => replace.immediate());
    },
    getSecret: async (owner, name) => (await readSecret(owner, name))?.value ?? null,
    readSecret,
    hasSecret: async (owner, name) => readingVault(db.name, () => select.get(owner, name)) !== undefined,
    deleteSecrets: async (owner, name) => {
      write(() => (name === undefined ? deleteAll.run(owner) : deleteOne.run(owner, name)));
    },
    dropSecret: async (owner, name, version) => write(() => deleteVersion.run(owner, name, version)).changes > 0,
    secretOwners: async (name) => readingVault(db.name, () => selectOwners.all(name)),
    takeLease: async (name, holder, forMs) => {
      const now = clock.now();
      return writingVault(db.name, () => lease.run({ name, holder, now, endsAt: now + forMs })).changes > 0;
    },
    releaseLease: async (name, holder) => {
      writingVault(db.name, () => release.run(name, holder));
    },
    endLeases: async () => {
      // Asked at every start, which a full disk must not keep from reading.
      if (readingVault(db.name, () => anyLease.get()) !== undefined) writingVault(db.name, () => releaseAll.run());
    },
  };
}

function placeOf(owner: string, name: string): readonly string[] {
  return ['secret', owner, name];
}
