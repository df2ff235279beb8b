import { Frontier } from './frontier.js';
import { leafHash } from './merkleHash.js';
import { tileHashes } from './tileHashes.js';
import type { TreeHead } from './merkleProof.js';
import { partialTiles, type Tile, type TileKind, tileWidth } from './tilePath.js';
import type { TileStore } from './tileStore.js';

const hashHex = 64;
/** Most bytes of one entry in a bundle (C2SP tlog-tiles: a 16-bit length). */
const mostEntryBytes = 0xffff;

interface Unfinished {
  readonly index: number;
  readonly parts: Buffer[];
}

/**
 * Grows a log's tree: takes entries, keeps hashes and entries in tiles.
 * What is added is on the disk when `finish` has resolved; adding the same entries to the same tree again writes the
 * same tiles.
 */
export class TreeWriter {
  readonly #store: TileStore;
  readonly #frontier: Frontier;
  readonly #unfinished = new Map<TileKind, Unfinished>();
  #full: (Tile & { readonly bytes: Buffer })[] = [];

  /**
   * @param size of the tree to go on from, whose tiles are in the store
   * @throws Fault `tile_missing`
   */
  constructor(store: TileStore, size: number) {
    this.#store = store;
    const subtree = tileHashes(size, (tile) => store.read(tile));
    for (const { kind, index, width } of partialTiles(size)) {
      const bytes = store.read({ kind, index, width });
      this.#unfinished.set(kind, { index, parts: kind === 'entries' ? firstEntries(bytes, width) : chunks(bytes, hashHex / 2) });
    }
    for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / tileWidth)) {
      for (const kind of level === 0 ? [level, 'entries' as const] : [level]) {
        if (!this.#unfinished.has(kind)) this.#unfinished.set(kind, { index: Math.floor(count / tileWidth), parts: [] });
      }
    }
    this.#frontier = new Frontier((level, hex) => this.#push(level, Buffer.from(hex, 'hex')), { size, subtree });
  }

  get size(): number {
    return this.#frontier.size;
  }

  /** The tree with all that was added. */
  head(): TreeHead {
    return { size: this.size, root: this.#frontier.root() };
  }

  /** @param entry at most 65,535 bytes; kept: do not change it afterwards */
  add(entry: Buffer): void {
    if (entry.length > mostEntryBytes) throw new RangeError(`An entry of ${entry.length} bytes does not fit into a log; at most ${mostEntryBytes} do.`);
    this.addLeaf(leafHash(entry).toString('hex'), entry);
  }

  /** Adds a leaf whose entry nobody has any more: an empty one stands in its place. @param leafHex 64 hex digits */
  addLeaf(leafHex: string, entry: Buffer = Buffer.alloc(0)): void {
    const length = Buffer.allocUnsafe(2);
    length.writeUInt16BE(entry.length);
    this.#push('entries', Buffer.concat([length, entry]));
    this.#frontier.add(leafHex);
  }

  /** Writes the tiles that are full, so that memory does not grow; to be called after every few thousand entries. */
  async flush(): Promise<void> {
    const full = this.#full;
    this.#full = [];
    await this.#store.write(full);
  }

  /** Writes everything, and returns when it is on the disk. */
  async finish(): Promise<TreeHead> {
    await this.flush();
    const partial = [...this.#unfinished].filter(([, { parts }]) => parts.length > 0);
    await this.#store.write(partial.map(([kind, { index, parts }]) => ({ kind, index, width: parts.length, bytes: Buffer.concat(parts) })));
    await this.#store.sync();
    return this.head();
  }

  #push(kind: TileKind, part: Buffer): void {
    const tile = this.#unfinished.get(kind) ?? { index: 0, parts: [] };
    tile.parts.push(part);
    this.#unfinished.set(kind, tile);
    if (tile.parts.length < tileWidth) return;
    this.#full.push({ kind, index: tile.index, width: tileWidth, bytes: Buffer.concat(tile.parts) });
    this.#unfinished.set(kind, { index: tile.index + 1, parts: [] });
  }
}

/** The first entries of a bundle, each with its length in front. */
function firstEntries(bundle: Buffer, count: number): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; entries.length < count; ) {
    const end = at + 2 + bundle.readUInt16BE(at);
    entries.push(bundle.subarray(at, end));
    at = end;
  }
  return entries;
}

function chunks(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: bytes.length / size }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
