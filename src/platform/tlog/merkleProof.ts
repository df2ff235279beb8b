import { emptyRoot, nodeHash } from './merkleHash.js';
import type { SubtreeHash } from './frontier.js';

/** The head of a tree of the given size (RFC 6962 §2.1). */
export function rootOf(size: number, subtree: SubtreeHash): Buffer {
  return size === 0 ? emptyRoot : rangeHash(0, size, subtree);
}

/**
 * The audit path of a leaf (RFC 6962 §2.1.1), from the leaf's sibling up.
 * @param index from 0, below `size`
 */
export function inclusionProof(index: number, size: number, subtree: SubtreeHash): readonly Buffer[] {
  const path = (start: number, end: number): Buffer[] => {
    if (end - start === 1) return [];
    const middle = start + splitOf(end - start);
    return index < middle ? [...path(start, middle), rangeHash(middle, end, subtree)] : [...path(middle, end), rangeHash(start, middle, subtree)];
  };
  return path(0, size);
}

/**
 * The proof that the first `oldSize` leaves of a tree are those of an earlier tree (RFC 6962 §2.1.2).
 * @param oldSize from 0 to `size`; the proof is empty when it is 0 or `size`
 */
export function consistencyProof(oldSize: number, size: number, subtree: SubtreeHash): readonly Buffer[] {
  const proof = (start: number, end: number, whole: boolean): Buffer[] => {
    if (oldSize === end) return whole ? [] : [rangeHash(start, end, subtree)];
    const middle = start + splitOf(end - start);
    return oldSize <= middle
      ? [...proof(start, middle, whole), rangeHash(middle, end, subtree)]
      : [...proof(middle, end, false), rangeHash(start, middle, subtree)];
  };
  return oldSize === 0 ? [] : proof(0, size, true);
}

/** Whether a leaf lies at `index` of the tree with this size and head (RFC 9162 §2.1.3.2). */
export function checkInclusion(
  { index, leaf, path }: { readonly index: number; readonly leaf: Uint8Array; readonly path: readonly Uint8Array[] },
  tree: TreeHead,
): boolean {
  if (index >= tree.size) return false;
  let at = index;
  let last = tree.size - 1;
  let hash: Uint8Array = leaf;
  for (const sibling of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && Buffer.compare(hash, tree.root) === 0;
}

/** Whether `newer` only adds leaves to `older` (RFC 9162 §2.1.4.2). A tree of no leaves is a beginning of every tree. */
export function checkConsistency(older: TreeHead, newer: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && Buffer.compare(older.root, newer.root) === 0;
  if (older.size === 0) return proof.length === 0 && Buffer.compare(older.root, emptyRoot) === 0;
  // A complete older tree is itself the first node of the proof, which then leaves it out.
  const [first, ...rest] = Number.isInteger(Math.log2(older.size)) ? [older.root, ...proof] : proof;
  if (first === undefined) return false;
  let at = older.size - 1;
  let last = newer.size - 1;
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  let [oldHash, newHash] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      newHash = nodeHash(newHash, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && Buffer.compare(oldHash, older.root) === 0 && Buffer.compare(newHash, newer.root) === 0;
}

/** What a log says of itself at one moment. */
export interface TreeHead {
  /** How many leaves. */
  readonly size: number;
  /** RFC 6962 head, 32 bytes. */
  readonly root: Uint8Array;
}

/** The head over the leaves from `start` to `end`; `start` is where RFC 6962 would split. */
function rangeHash(start: number, end: number, subtree: SubtreeHash): Buffer {
  const count = end - start;
  const level = Math.log2(count);
  if (Number.isInteger(level)) return Buffer.from(subtree(level, start / count));
  const middle = start + splitOf(count);
  return nodeHash(rangeHash(start, middle, subtree), rangeHash(middle, end, subtree));
}

/** The largest power of two below `count`, which is 2 or more. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

function half(number: number): number {
  return Math.floor(number / 2);
}
