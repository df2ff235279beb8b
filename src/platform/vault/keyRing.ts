import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { vaultDamaged } from './masterKey/rootKey.js';
import { keyFor, unseal } from './seal.js';

const cachedKeys = 10_000;

/** What the vault knows of a subject's key. */
export type SubjectKey = { readonly kind: 'key'; readonly key: Buffer } | { readonly kind: 'erased' } | { readonly kind: 'unknown' };

/** Where a subject's key belongs; see `seal`. */
export function subjectPlace(subject: string): readonly string[] {
  return ['subject', subject];
}

/** The key that seals subjects' keys. */
export function wrappingKey(rootKey: Buffer): Buffer {
  return keyFor(rootKey, 'subjects');
}

/**
 * Looks up subjects' keys. Opened keys are kept, the newest 10,000, until anything in the file changes: a key that is
 * erased is gone at once.
 * @param hasChanged whether anything has since it was last asked
 */
export function keyRing(db: Database.Database, rootKey: Buffer, hasChanged: () => boolean): (subject: string) => SubjectKey {
  const find = db.prepare<[string], { wrapped_key: Buffer | null }>('SELECT wrapped_key FROM subjects WHERE subject = ?');
  const wrapping = wrappingKey(rootKey);
  const opened = new LRUCache<string, Buffer>({ max: cachedKeys });
  return (subject) => {
    if (hasChanged()) opened.clear();
    const cached = opened.get(subject);
    if (cached !== undefined) return { kind: 'key', key: cached };
    const row = find.get(subject);
    if (row === undefined) return { kind: 'unknown' };
    if (row.wrapped_key === null) return { kind: 'erased' };
    const key = unseal(wrapping, subjectPlace(subject), row.wrapped_key);
    if (key === null) throw vaultDamaged(db.name, `the key of subject ${subject} does not open`);
    opened.set(subject, key);
    return { kind: 'key', key };
  };
}
