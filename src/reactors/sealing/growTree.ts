import { hash } from 'node:crypto';
import { canonicalHeader, contentHash, leafInput } from '../../events/leaf.js';
import { comparePositions, type Position, type RecordedEvent } from '../../events/envelope.js';
import { payloadDropped } from '../../events/stub.js';
import { counted } from '../../platform/text/counted.js';
import { Fault } from '../../platform/fault.js';
import { openTileStore } from '../../platform/tlog/tileStore.js';
import { TreeWriter } from '../../platform/tlog/treeWriter.js';

const pageSize = 1_024;

/** A tree over the ledger's first events. */
export interface LedgerTree {
  readonly size: number;
  /** Of the last event in it. */
  readonly position: Position;
  /** RFC 6962 head as hex. */
  readonly root: string;
}

/** What is to be added to a tree. */
export interface Growth {
  /** Where its tiles lie. */
  readonly directory: string;
  /** The tree of the seal before, or null: it begins with the ledger's first event. */
  readonly from: LedgerTree | null;
  /** The last event to take. */
  readonly upTo: Position;
}

/** Reads a page of the ledger, as `EventReader.readAll` does, at once or later. */
type ReadAll = (after: Position | null, limit: number) => readonly RecordedEvent[] | Promise<readonly RecordedEvent[]>;

/**
 * Adds events to the tree and puts its tiles on the disk. Tiles that are missing or not those of the tree before are
 * computed again from the first event on. Doing it twice gives the same.
 * @throws Fault `damaged`: `leaf` when an event is not what its leaf was computed from, `sealed_differs` when the ledger
 *   is not the one that was sealed before
 */
export async function growTree(readAll: ReadAll, growth: Growth): Promise<LedgerTree> {
  const { directory, from, upTo } = growth;
  let writer = resumed(directory, from);
  let position = writer === null ? null : (from?.position ?? null);
  writer ??= new TreeWriter(openTileStore(directory), 0);
  for (;;) {
    const page = await readAll(position, pageSize);
    for (const event of page) {
      if (comparePositions(event.position, upTo) > 0) break;
      // Nobody can compute the leaf of a payload that was dropped; the seals before it, or of other copies, vouch for it.
      if (event.type === payloadDropped) writer.addLeaf(Buffer.from(event.leaf).toString('hex'));
      else writer.add(entryOf(event));
      position = event.position;
      if (from !== null && writer.size === from.size && !isHead(writer, from)) throw differs(from);
    }
    await writer.flush();
    if (position === null || page.length === 0 || comparePositions(page.at(-1)?.position ?? upTo, upTo) >= 0) break;
  }
  if (from !== null && writer.size < from.size) throw differs(from);
  if (position === null) throw new RangeError('There is no event to seal.');
  const { size, root } = await writer.finish();
  return { size, position, root: Buffer.from(root).toString('hex') };
}

/** @returns null when the tiles are not there, or not those of the tree before */
function resumed(directory: string, from: LedgerTree | null): TreeWriter | null {
  if (from === null) return null;
  try {
    const writer = new TreeWriter(openTileStore(directory), from.size);
    return isHead(writer, from) ? writer : null;
  } catch (error) {
    if (error instanceof Fault && error.code === 'tile_missing') return null;
    throw error;
  }
}

function isHead(writer: TreeWriter, { root }: LedgerTree): boolean {
  return Buffer.from(writer.head().root).toString('hex') === root;
}

function entryOf(event: RecordedEvent): Buffer {
  const input = leafInput(canonicalHeader(event, event), contentHash(event.data, event.boxes));
  if (hash('sha256', input, 'hex') === Buffer.from(event.leaf).toString('hex')) return input.subarray(1);
  const { position } = event;
  throw new Fault('damaged', 'leaf', `The ledger is damaged at position ${position}: the event is not what its leaf was computed from. Nothing was sealed; run \`toolledger ledger verify\`.`, { position });
}

function differs({ size }: LedgerTree): Fault {
  return new Fault(
    'damaged',
    'sealed_differs',
    `The first ${counted(size, 'event')} of the ledger are not what was sealed. Nothing was sealed; \`toolledger ledger verify\` says where they differ.`,
    { size },
  );
}
