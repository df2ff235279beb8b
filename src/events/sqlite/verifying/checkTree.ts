import { join } from 'node:path';
import { counted } from '../../../platform/text/counted.js';
import { Fault } from '../../../platform/fault.js';
import { Frontier } from '../../../platform/tlog/frontier.js';
import { rootOf } from '../../../platform/tlog/merkleProof.js';
import { tileHashes } from '../../../platform/tlog/tileHashes.js';
import { openTileStore } from '../../../platform/tlog/tileStore.js';
import type { Damage } from './damage.js';
import { TileComparison, type Tiles } from './compareTiles.js';

/** A head that was signed. */
export interface SealedHead {
  /** How many events it covers. */
  readonly size: number;
  /** RFC 6962 head over them, as hex. */
  readonly root: string;
  /** False when only a checkpoint outside the ledger tells of it, though the ledger should. */
  readonly recorded: boolean;
}

/** The tree of an epoch that is over. */
export interface PastTree extends Tiles {
  /** Of so many first leaves the ledger says that they were signed: they must be its own. */
  readonly kept: number;
}

/** What a ledger's events are compared with, beside themselves. Plain data: it goes to another thread. */
export interface SealedTree {
  /** Every head that is known, smallest first. */
  readonly heads: readonly SealedHead[];
  /** Null: there are none. */
  readonly tiles: Tiles | null;
  /** Take the tree of this size from the tiles, and check only what follows; 0: check everything. */
  readonly from: number;
  /** Trees of earlier epochs; only a check of everything looks at them. */
  readonly past: readonly PastTree[];
  /** Whether it is a copy of a part: then heads may tell of more, and need not be recorded. */
  readonly isPart: boolean;
}

/** Compares events, in order and none left out, with the heads that were signed and with the tiles of their tree. */
export class TreeCheck {
  readonly #heads: readonly SealedHead[];
  readonly #tiles: TileComparison | null;
  readonly #past: readonly (PastTree & { readonly comparison: TileComparison })[];
  readonly #isPart: boolean;
  readonly #frontier: Frontier;
  #next: number;
  /** Size of the newest tree that was as it was signed. */
  #good: number;
  #unrecorded: SealedHead | null;

  /** @throws Fault `tile_missing` when the tree to go on from is not in the tiles */
  constructor({ heads, tiles, from, past, isPart }: SealedTree) {
    this.#isPart = isPart;
    this.#heads = heads;
    this.#next = heads.filter(({ size }) => size <= from).length;
    this.#unrecorded = heads.find(({ size, recorded }) => size <= from && !recorded) ?? null;
    this.#good = from;
    this.#tiles = tiles === null ? null : new TileComparison(tiles, from);
    this.#past = from > 0 ? [] : past.map((tree) => ({ ...tree, comparison: new TileComparison(tree, 0) }));
    const store = openTileStore(tiles?.directory ?? '');
    this.#frontier = new Frontier((level, hex) => this.#compareTiles(level, hex), { size: from, subtree: tileHashes(from, (tile) => store.read(tile)) });
  }

  /** @param entry of the log, or null when only the leaf is known */
  add(leafHex: string, entry: Buffer | null): Damage | null {
    this.#frontier.add(leafHex);
    this.#tiles?.entry(leafHex, entry);
    for (const { kept, comparison } of this.#past) if (this.#frontier.size <= kept) comparison.entry(leafHex, entry);
    return this.#heads[this.#next]?.size === this.#frontier.size ? this.#compareHeads() : null;
  }

  /** To be called after the last event. */
  finish(): Damage | null {
    const { size } = this.#frontier;
    if (this.#isPart) return null;
    // What was signed is recorded behind what it covers, so the ledger was longer than the head.
    const lost = this.#heads.slice(this.#next).at(-1) ?? (this.#heads.at(-1)?.size === size ? this.#heads.at(-1) : undefined);
    if (lost !== undefined) return { position: String(size + 1), kind: 'missing', detail: `the events from here on are missing: a signed checkpoint tells of ${counted(Math.max(lost.size, size + 1), 'event')} or more` };
    if (this.#unrecorded !== null) {
      return { position: null, kind: 'checkpoint', detail: `a checkpoint of ${counted(this.#unrecorded.size, 'event')} was signed, and the event that recorded it is not in the ledger any more` };
    }
    const different = this.#tiles?.difference;
    if (different) return { position: null, kind: 'tile', detail: `${different.tile} is missing or differs, while the ledger is as it was signed` };
    const past = this.#past.find(({ comparison }) => comparison.difference !== null);
    return past === undefined ? null : { position: null, kind: 'epoch', detail: `${join(past.directory, past.comparison.difference?.tile ?? '')} is missing or differs from the events that were kept` };
  }

  #compareTiles(level: number, hex: string): void {
    this.#tiles?.hash(level, hex);
    // The leaf that completes it is not counted yet.
    for (const { kept, comparison } of this.#past) if (this.#frontier.size < kept) comparison.hash(level, hex);
  }

  #compareHeads(): Damage | null {
    const { size } = this.#frontier;
    const root = this.#frontier.root().toString('hex');
    for (let head = this.#heads[this.#next]; head?.size === size; head = this.#heads[this.#next]) {
      if (head.root !== root) return this.#otherThanSigned(size);
      if (!head.recorded) this.#unrecorded ??= head;
      this.#next += 1;
    }
    this.#good = size;
    return null;
  }

  /** The tiles, when they are those that were signed, say which event is another one; the heads only between which two. */
  #otherThanSigned(size: number): Damage {
    const position = this.#tiles?.difference?.position;
    return position === null || position === undefined
      ? { position: String(this.#good + 1), kind: 'sealed', detail: `an event from here to position ${size} is not the one that was signed` }
      : { position: String(position), kind: 'sealed', detail: `the event is not the one that was signed with the first ${size}` };
  }
}

/**
 * Checks that the tiles hold the tree of the size to go on from, and every head before it.
 * @returns null when they do
 */
export function checkBeginning({ heads, tiles, from }: SealedTree): Damage | null {
  if (tiles === null || from === 0) return null;
  const store = openTileStore(tiles.directory);
  const subtree = tileHashes(from, (tile) => store.read(tile));
  try {
    const wrong = heads.find(({ size, root }) => size <= from && rootOf(size, subtree).toString('hex') !== root);
    return wrong === undefined ? null : noBeginning(`they are not those of the tree that was signed with ${counted(wrong.size, 'event')}`);
  } catch (error) {
    if (error instanceof Fault) return noBeginning('one is missing');
    throw error;
  }
}

function noBeginning(why: string): Damage {
  return { position: null, kind: 'tile', detail: `the tiles cannot be gone on from: ${why}. Check everything, without --from-checkpoint` };
}
