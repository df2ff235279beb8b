import { createHash } from 'node:crypto';

/**
 * RFC 6962 §2.1 as it is written there: slow, recursive, over the entries themselves. What the product computes another
 * way is compared with it.
 */
export function referenceRoot(entries: readonly Uint8Array[]): Buffer {
  const [only] = entries;
  if (only === undefined) return createHash('sha256').digest();
  if (entries.length === 1) return createHash('sha256').update(Buffer.of(0)).update(only).digest();
  const k = splitPoint(entries.length);
  return node(referenceRoot(entries.slice(0, k)), referenceRoot(entries.slice(k)));
}

/** PATH(m, D[n]) of §2.1.1. */
export function referencePath(index: number, entries: readonly Uint8Array[]): Buffer[] {
  if (entries.length === 1) return [];
  const k = splitPoint(entries.length);
  return index < k
    ? [...referencePath(index, entries.slice(0, k)), referenceRoot(entries.slice(k))]
    : [...referencePath(index - k, entries.slice(k)), referenceRoot(entries.slice(0, k))];
}

/** SUBPROOF(m, D[n], b) of §2.1.2. */
export function referenceConsistency(oldSize: number, entries: readonly Uint8Array[], whole = true): Buffer[] {
  if (oldSize === entries.length) return whole ? [] : [referenceRoot(entries)];
  const k = splitPoint(entries.length);
  return oldSize <= k
    ? [...referenceConsistency(oldSize, entries.slice(0, k), whole), referenceRoot(entries.slice(k))]
    : [...referenceConsistency(oldSize - k, entries.slice(k), false), referenceRoot(entries.slice(0, k))];
}

function splitPoint(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1));
}

function node(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
}
