import { hash } from 'node:crypto';
import { emptyRoot, hashBytes, nodeHash } from './merkleHash.js';

/** More levels than a tree of 2^53 leaves has. */
const mostLevels = 54;
const levelsInTile = 8;

/**
 * The right edge of a growing RFC 6962 tree: the heads of the complete subtrees it falls into, largest first. Enough
 * to add leaves and to tell the head, in memory that does not grow.
 */
export class Frontier {
  readonly #peaks = Buffer.alloc(mostLevels * hashBytes);
  readonly #present = new Uint8Array(mostLevels);
  readonly #node = Buffer.alloc(1 + 2 * hashBytes);
  readonly #onTileHash: (tileLevel: number, hex: string) => void;
  #size = 0;

  /**
   * @param onTileHash told each hash that stands in a tile, in order: of a leaf (level 0), and of each complete subtree of 256^level leaves
   * @param from the tree to go on from, as its size and the head of any complete subtree; by default an empty one
   */
  constructor(
    onTileHash: (tileLevel: number, hex: string) => void = () => undefined,
    from: { readonly size: number; readonly subtree: SubtreeHash } = { size: 0, subtree: () => emptyRoot },
  ) {
    this.#onTileHash = onTileHash;
    this.#node[0] = 1;
    this.#size = from.size;
    for (let level = 0, left = from.size; left > 0; level += 1, left = Math.floor(left / 2)) {
      if (left % 2 === 0) continue;
      this.#present[level] = 1;
      this.#peaks.set(from.subtree(level, left - 1), level * hashBytes);
    }
  }

  /** How many leaves the tree has. */
  get size(): number {
    return this.#size;
  }

  /** Adds a leaf at the end. @param leafHex its leaf hash, 64 hex digits */
  add(leafHex: string): void {
    let hex = leafHex;
    let level = 0;
    this.#onTileHash(0, hex);
    while (this.#present[level] === 1) {
      this.#present[level] = 0;
      this.#peaks.copy(this.#node, 1, level * hashBytes, (level + 1) * hashBytes);
      this.#node.write(hex, 1 + hashBytes, 'hex');
      // By way of hex: a digest asked for as a buffer gets memory of its own, which costs more than the hashing.
      hex = hash('sha256', this.#node, 'hex');
      level += 1;
      if (level % levelsInTile === 0) this.#onTileHash(level / levelsInTile, hex);
    }
    this.#present[level] = 1;
    this.#peaks.write(hex, level * hashBytes, 'hex');
    this.#size += 1;
  }

  /** The head of the tree as it is now, 32 bytes. */
  root(): Buffer {
    let root: Buffer | null = null;
    for (let level = 0; level < mostLevels; level += 1) {
      if (this.#present[level] !== 1) continue;
      const peak = this.#peaks.subarray(level * hashBytes, (level + 1) * hashBytes);
      root = root === null ? Buffer.from(peak) : nodeHash(peak, root);
    }
    return root ?? emptyRoot;
  }
}

/** The head of the complete subtree of 2^level leaves that begins at leaf index × 2^level. */
export type SubtreeHash = (level: number, index: number) => Uint8Array;
