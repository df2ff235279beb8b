import { readFileSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncInBackground } from '../files/backgroundFile.js';
import { Fault } from '../fault.js';
import { hashBytes } from './merkleHash.js';
import { type Tile, tilePath, tileWidth } from './tilePath.js';

/** A log's tiles as files below its prefix directory. */
export interface TileStore {
  /**
   * @returns the tile, from the full one when that is there; hashes cut to the width asked for, a bundle as it is
   * @throws Fault `damaged` `tile_missing` when it is not there or too short
   */
  read(tile: Tile): Buffer;
  /** Writes tiles; when it resolves they are on the disk, though not their names: see `sync`. Repeating it is harmless. */
  write(tiles: readonly (Tile & { readonly bytes: Uint8Array })[]): Promise<void>;
  /** Puts the names of all tiles written so far on the disk. */
  sync(): Promise<void>;
}

/** @param directory the log's prefix; made, with what is below it, when something is written */
export function openTileStore(directory: string): TileStore {
  const touched = new Set<string>();

  async function writeOne({ bytes, ...tile }: Tile & { readonly bytes: Uint8Array }): Promise<void> {
    const file = join(directory, tilePath(tile.kind, tile.index, tile.width));
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.new`;
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    for (let at = dirname(file); !touched.has(at) && at.startsWith(directory); at = dirname(at)) touched.add(at);
    // The partial ones are of no use any more.
    if (tile.width === tileWidth) await rm(`${file}.p`, { recursive: true, force: true });
  }

  return {
    read(tile) {
      const least = tile.kind === 'entries' ? 1 : tile.width * hashBytes;
      for (const width of new Set([tileWidth, tile.width])) {
        const bytes = readIfThere(join(directory, tilePath(tile.kind, tile.index, width)));
        if (bytes !== null && bytes.length >= least) return tile.kind === 'entries' ? bytes : bytes.subarray(0, least);
      }
      const path = tilePath(tile.kind, tile.index, tile.width);
      throw new Fault('damaged', 'tile_missing', `${join(directory, path)} is missing or too short. Tiles can be computed again: remove the directory tile beside the checkpoint and run \`toolledger ledger seal\`.`, { tile: path });
    },
    async write(tiles) {
      await Promise.all(tiles.map(writeOne));
    },
    async sync() {
      for (const at of touched) await syncInBackground(at);
      if (touched.size > 0) await syncInBackground(dirname(directory));
      touched.clear();
    },
  };
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
