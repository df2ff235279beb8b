/** Hashes in a full tile, and entries in a full bundle. */
export const tileWidth = 256;

/** A tile of hashes, by its level from 0, or a bundle of entries. */
export type TileKind = number | 'entries';

/**
 * Where a tile lies below a log's prefix (C2SP tlog-tiles): `tile/<L>/<N>`, with `.p/<W>` when it is partial.
 * @param index number of the tile in its level, from 0
 * @param width 1 to 256; below 256 it is a partial tile
 */
export function tilePath(kind: TileKind, index: number, width: number): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const parts = padded.match(/.{3}/g) ?? [];
  const number = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join('/');
  return `tile/${kind}/${number}${width < tileWidth ? `.p/${width}` : ''}`;
}

/** One tile that a tree of some size has. */
export interface Tile {
  readonly kind: TileKind;
  readonly index: number;
  readonly width: number;
}

/** The tiles and the bundle at the right edge of a tree: the last one of each level that is not full. */
export function partialTiles(size: number): readonly Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / tileWidth)) {
    const tile = { index: Math.floor(count / tileWidth), width: count % tileWidth };
    if (tile.width === 0) continue;
    tiles.push({ kind: level, ...tile });
    if (level === 0) tiles.push({ kind: 'entries', ...tile });
  }
  return tiles;
}
