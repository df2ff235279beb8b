import type { EventReader } from '../../../events/eventStore.js';
import { counted } from '../../../platform/text/counted.js';
import { Fault } from '../../../platform/fault.js';
import { rootOf } from '../../../platform/tlog/merkleProof.js';
import { parseVkey, type NoteVerifier } from '../../../platform/tlog/noteKey.js';
import { noteText } from '../../../platform/tlog/signedNote.js';
import { tileHashes } from '../../../platform/tlog/tileHashes.js';
import { openTileStore } from '../../../platform/tlog/tileStore.js';
import { isSignedBy, parsedCheckpoint, type KnownCheckpoint } from './knownCheckpoint.js';
import { recordedSeal, type SealedSoFar } from '../newestSeal.js';
import type { SealFiles } from '../sealFiles.js';
import { ledgerOf, signerOf, type SealingKeys } from '../sealingKeys.js';

/** A checkpoint that was given out and does not fit the ledger. */
export interface SealLoss {
  /** The epoch of the checkpoint. */
  readonly epoch: number;
  /** How many events it covers. */
  readonly size: number;
  /** Position that the ledger must have had, at least. */
  readonly position: string;
  readonly knownFrom: string;
  readonly checkpoint: string;
  /** Shorter, or other than it was. */
  readonly kind: 'shorter' | 'different';
}

/**
 * Compares the newest checkpoints that lie outside the ledger with what it says of its seals: quick, at every start.
 * `ledger verify` compares all of them with all events.
 * @param keys of the vault, or null when it has none, or cannot be looked into
 * @returns the furthest checkpoint that does not fit, or null
 * @throws Fault `damaged` `foreign_checkpoint` when one is of another ledger or signed by nobody known
 */
export async function findSealLoss(
  reader: Pick<EventReader, 'countAfter' | 'leafAt' | 'readStream'>,
  sealed: SealedSoFar,
  files: SealFiles,
  keys: SealingKeys | null,
): Promise<SealLoss | null> {
  // Each for itself: whoever rewrote the data directory may have given out newer checkpoints there.
  const losses = [await lossBy(await files.newestLogged()), await lossBy(await publishedFrom(files, sealed.epoch))];
  return losses.filter((loss) => loss !== null).sort(byExtent).at(-1) ?? null;

  async function lossBy(texts: readonly string[]): Promise<SealLoss | null> {
    const known = texts.map(parsedCheckpoint);
    for (const one of known) if (!isOurs(one, sealed, keys)) throw foreign(one);
    const furthest = known.sort((a, b) => a.epoch - b.epoch || a.size - b.size).at(-1);
    if (furthest === undefined || furthest.epoch < sealed.epoch) return null;
    const { seal, keys: recorded } = await recordedSeal(reader, furthest);
    const isRecorded = seal?.root === Buffer.from(furthest.root).toString('hex');
    if (!isRecorded && !isSignedBy(furthest, verifiersOf(furthest, recorded, keys))) throw foreign(furthest);
    const kind = await mismatch(reader, sealed, furthest, files);
    if (kind === null) return null;
    const { epoch, size, note } = furthest;
    return { epoch, size, position: String(size + 1), knownFrom: `checkpoint of ${counted(size, 'event')}`, checkpoint: noteText(note), kind };
  }
}

function byExtent(a: SealLoss, b: SealLoss): number {
  return a.epoch - b.epoch || a.size - b.size;
}

async function mismatch(reader: Pick<EventReader, 'countAfter' | 'leafAt'>, { epoch, seal }: SealedSoFar, given: KnownCheckpoint, files: SealFiles): Promise<SealLoss['kind'] | null> {
  // The seal's own event lies behind what it covers, and it was in the ledger before the checkpoint was given out.
  if (given.epoch > epoch || seal?.epoch !== epoch || seal.size < given.size || (await reader.countAfter(null)) <= seal.size) return 'shorter';
  if (seal.size === given.size && seal.root !== Buffer.from(given.root).toString('hex')) return 'different';
  const leaf = await reader.leafAt(seal.position);
  try {
    const store = openTileStore(files.logDirectory(epoch));
    const subtree = tileHashes(seal.size, (tile) => store.read(tile));
    const fits = leaf !== null && Buffer.compare(leaf, subtree(0, seal.size - 1)) === 0 && Buffer.compare(rootOf(given.size, subtree), given.root) === 0;
    return fits ? null : 'different';
  } catch (error) {
    // Tiles that are gone are made again; only a full verification can tell then.
    if (error instanceof Fault && error.code === 'tile_missing') return null;
    throw error;
  }
}

/** The newest epoch that anything outside the ledger knows of, or 0. A later one must never have its number again. */
export async function lastKnownEpoch(files: SealFiles): Promise<number> {
  const logged = (await files.newestLogged()).map((text) => parsedCheckpoint(text).epoch);
  return Math.max(0, ...logged, ...(await files.epochs()));
}

/** What the present epoch's log and later ones give out: a ledger may have lost that they began. */
async function publishedFrom(files: SealFiles, epoch: number): Promise<readonly string[]> {
  const texts = await Promise.all((await files.epochs()).filter((at) => at >= epoch).map((at) => files.published(at)));
  return texts.filter((text) => text !== null);
}

function isOurs({ ledger }: KnownCheckpoint, { key }: SealedSoFar, keys: SealingKeys | null): boolean {
  return ledger === keys?.ledger || (key !== null && ledger === ledgerOf(key));
}

/** Who may have signed it: keys that the ledger names, and those of the vault. */
function verifiersOf({ epoch }: KnownCheckpoint, recorded: readonly string[], keys: SealingKeys | null): readonly NoteVerifier[] {
  return [...recorded.map(parseVkey), ...(keys?.seeds.map((seed) => signerOf(keys, epoch, seed).verifier) ?? [])];
}

function foreign({ origin, size }: KnownCheckpoint): Fault {
  return new Fault(
    'damaged',
    'foreign_checkpoint',
    `A checkpoint beside the ledger (${origin}, ${counted(size, 'event')}) was not signed by this ledger: it is forged, or the ledger or keys.db is another one than the checkpoint was made for. Put the right files back, or name another file with CHECKPOINT_LOG.`,
    { origin, size },
  );
}
