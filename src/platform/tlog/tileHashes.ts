import type { SubtreeHash } from './frontier.js';
import { hashBytes, nodeHash } from './merkleHash.js';
import { type Tile, tileWidth } from './tilePath.js';

const levelsInTile = 8;
const keptTiles = 64;

/** Reads a tile's bytes: at least as wide as asked for. */
export type ReadTile = (tile: Tile) => Uint8Array;

/**
 * Heads of complete subtrees, computed from the tiles of a tree of the given size. The last tiles read are kept.
 * @param read throws when there is no such tile
 */
export function tileHashes(size: number, read: ReadTile): SubtreeHash {
  const tiles = new Map<string, Uint8Array>();
  const tile = (level: number, index: number): Uint8Array => {
    const key = `${level} ${index}`;
    const kept = tiles.get(key);
    if (kept !== undefined) return kept;
    const bytes = read({ kind: level, index, width: Math.min(tileWidth, Math.floor(size / tileWidth ** level) - index * tileWidth) });
    if (tiles.size >= keptTiles) tiles.clear();
    tiles.set(key, bytes);
    return bytes;
  };
  return (level, index) => {
    const tileLevel = Math.floor(level / levelsInTile);
    const count = 2 ** (level % levelsInTile);
    const first = index * count;
    const bytes = tile(tileLevel, Math.floor(first / tileWidth));
    const offset = first % tileWidth;
    return headOf(bytes.subarray(offset * hashBytes, (offset + count) * hashBytes));
  };
}

/** The head over a power of two of hashes. */
function headOf(hashes: Uint8Array): Uint8Array {
  if (hashes.length === hashBytes) return hashes;
  return nodeHash(headOf(hashes.subarray(0, hashes.length / 2)), headOf(hashes.subarray(hashes.length / 2)));
}
