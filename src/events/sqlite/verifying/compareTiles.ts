import { hash } from 'node:crypto';
import { Fault } from '../../../platform/fault.js';
import { type Tile, tilePath, tileWidth } from '../../../platform/tlog/tilePath.js';
import { openTileStore } from '../../../platform/tlog/tileStore.js';

const hashHex = 64;

/** The tiles of a tree. */
export interface Tiles {
  /** Where they lie. */
  readonly directory: string;
  /** How many leaves the tree has. */
  readonly size: number;
}

/** Where tiles first differ from what the ledger says. */
export interface TileDifference {
  readonly tile: string;
  /** Place of the leaf, from 1, when it is one leaf's. */
  readonly position: number | null;
}

interface OpenBundle {
  readonly index: number;
  readonly bytes: Buffer;
  /** Where the next entry begins. */
  at: number;
}

/** Compares hashes and entries, as they come in order, with the tiles on the disk. Each tile is read once. */
export class TileComparison {
  readonly #read: (tile: Tile) => Buffer;
  readonly #size: number;
  readonly #levels = new Map<number, { index: number; width: number; hex: string }>();
  #bundle: OpenBundle | null = null;
  #entries: number;
  /** The first one; null: none so far. */
  difference: TileDifference | null = null;

  /** @param from how many leaves come before the first one that is compared */
  constructor({ directory, size }: Tiles, from: number) {
    const store = openTileStore(directory);
    this.#read = (tile) => store.read(tile);
    this.#size = size;
    this.#entries = from;
    for (let level = 0, count = from; count > 0; level += 1, count = Math.floor(count / tileWidth)) {
      this.#levels.set(level, { index: Math.floor(count / tileWidth), width: count % tileWidth, hex: '' });
    }
  }

  /** The next hash of a level; see `Frontier`. */
  hash(level: number, hex: string): void {
    const tile = this.#levels.get(level) ?? { index: 0, width: 0, hex: '' };
    this.#levels.set(level, tile);
    if (tile.hex === '') tile.hex = this.#expected(level, tile.index)?.toString('hex') ?? '';
    const at = tile.width * hashHex;
    // Beyond the tree of the tiles there is nothing to compare with.
    if (at < tile.hex.length && !tile.hex.startsWith(hex, at)) this.#differs(level, tile.index, level === 0 ? tile.index * tileWidth + tile.width + 1 : null);
    tile.width += 1;
    if (tile.width === tileWidth) this.#levels.set(level, { index: tile.index + 1, width: 0, hex: '' });
  }

  /** The next entry, or null when only its leaf is known. */
  entry(leafHex: string, entry: Buffer | null): void {
    const place = this.#entries;
    this.#entries += 1;
    if (place >= this.#size) return;
    const index = Math.floor(place / tileWidth);
    const bundle = this.#bundle?.index === index ? this.#bundle : this.#openBundle(index, place % tileWidth);
    if (bundle === null) return;
    const start = bundle.at + 2;
    const end = bundle.at + 2 <= bundle.bytes.length ? start + bundle.bytes.readUInt16BE(bundle.at) : Infinity;
    bundle.at = end;
    const fits = end <= bundle.bytes.length && (entry === null ? isEntryOf(bundle.bytes.subarray(start, end), leafHex) : bundle.bytes.compare(entry, 0, entry.length, start, end) === 0);
    if (!fits) this.#differs('entries', index, null);
  }

  #openBundle(index: number, skip: number): OpenBundle | null {
    const bytes = this.#expected('entries', index);
    if (bytes === null) return null;
    let at = 0;
    for (let left = skip; left > 0 && at + 2 <= bytes.length; left -= 1) at += 2 + bytes.readUInt16BE(at);
    this.#bundle = { index, bytes, at };
    return this.#bundle;
  }

  /** @returns null when the tree has no such tile, or it is not there, which is a difference */
  #expected(kind: Tile['kind'], index: number): Buffer | null {
    const level = kind === 'entries' ? 0 : kind;
    const width = Math.min(tileWidth, Math.floor(this.#size / tileWidth ** level) - index * tileWidth);
    if (width <= 0) return null;
    try {
      return this.#read({ kind, index, width });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#differs(kind, index, null);
      return null;
    }
  }

  #differs(kind: Tile['kind'], index: number, position: number | null): void {
    this.difference ??= { tile: tilePath(kind, index, tileWidth), position };
  }
}

/** Whether an entry that the ledger has dropped is the one it was; an empty one says nothing. */
function isEntryOf(entry: Buffer, leafHex: string): boolean {
  return entry.length === 0 || hash('sha256', Buffer.concat([Buffer.of(0), entry]), 'hex') === leafHex;
}
