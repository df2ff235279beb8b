import { createHmac } from 'node:crypto';
import type Database from 'better-sqlite3';
import { keyFor } from './seal.js';

/** Who somebody is outside the product: the person at this machine, or a Discord user. */
export interface Identity {
  readonly kind: 'operator' | 'discord';
  readonly id: string;
}

/** Finds subjects by who they are outside; the file holds only keyed digests of that. */
export interface IdentityIndex {
  /** What stands in the file for an identity. */
  readonly lookupOf: (identity: Identity) => Buffer;
  /** The subject of a person the product has met, or null. */
  readonly find: (identity: Identity) => string | null;
}

export function identityIndex(db: Database.Database, rootKey: Buffer): IdentityIndex {
  const key = keyFor(rootKey, 'lookup');
  const select = db.prepare<[Buffer], { subject: string }>('SELECT subject FROM identities WHERE lookup = ?');
  const lookupOf = ({ kind, id }: Identity): Buffer => createHmac('sha256', key).update(JSON.stringify([kind, id])).digest();
  return { lookupOf, find: (identity) => select.get(lookupOf(identity))?.subject ?? null };
}
