import type { EventReader } from '../../../events/eventStore.js';
import type { SealFiles } from '../sealFiles.js';
import { keptDiffers, sizeKept, type Epochs, type PastEpoch } from './epochs.js';
import { parsedCheckpoint } from './knownCheckpoint.js';
import { judgePastSeals, type PastSeals, type PastTree } from './pastSeals.js';
import type { Problem } from './problem.js';
import type { RecordedSeals } from './recordedSeals.js';

/** One epoch of a ledger. */
export interface EpochReport {
  readonly epoch: number;
  /** How many events were there when the next one began; null: it is the present one. */
  readonly kept: number | null;
  /** How many events the newest of its seals covers that the ledger has; 0: none. */
  readonly sealed: number;
  /** How many events the largest checkpoint tells of that is known of it; more than `kept`: so much was given up. */
  readonly signed: number;
  /** What lies in `seals/` of an epoch that is over; null: it is the present one, or it could not be checked. */
  readonly seals: PastSeals['state'] | null;
}

/** The epochs that are over. */
interface Past {
  /** Oldest first. */
  readonly epochs: readonly EpochReport[];
  readonly trees: readonly PastTree[];
  /** The first one; null: nothing is wrong. */
  readonly problem: Problem | null;
}

/**
 * Checks each epoch that is over for itself: that what ended it lies behind the event it names, and that its checkpoint
 * and its tiles, where they are still there, fit each other and what the ledger kept.
 */
export async function judgePast(reader: Pick<EventReader, 'leafAt'>, files: SealFiles, { past, present }: Epochs, recorded: RecordedSeals): Promise<Past> {
  const epochs: EpochReport[] = [];
  const trees: PastTree[] = [];
  let problem: Problem | null = null;
  // A restored ledger does not know the epochs that began after its backup.
  const unknown = (await files.epochs()).filter((epoch) => epoch < present && !past.some((one) => one.epoch === epoch));
  for (const epoch of [...past.map((one) => one.epoch), ...unknown].sort((a, b) => a - b)) {
    const ended = past.find((one) => one.epoch === epoch);
    const differs = ended === undefined ? null : await keptDiffers(reader, ended);
    if (ended !== undefined && differs !== null) problem ??= { position: ended.kept?.position ?? ended.endedAt, kind: 'epoch', detail: differs };
    const seals = await judgePastSeals(files, epoch, recorded);
    if (typeof seals === 'string') problem ??= { position: null, kind: 'epoch', detail: seals };
    else if (seals.tree !== null) trees.push(seals.tree);
    const sealed = recorded.newestOf(epoch, Infinity)?.size ?? 0;
    const published = typeof seals === 'string' ? 0 : (seals.published ?? 0);
    epochs.push({ epoch, kept: ended === undefined ? 0 : sizeKept(ended), sealed, signed: Math.max(sealed, published, sizeTold(ended)), seals: typeof seals === 'string' ? null : seals.state });
  }
  return { epochs, trees, problem };
}

/** What the event that ended an epoch says of its last checkpoint. */
function sizeTold(ended: PastEpoch | undefined): number {
  if (ended?.checkpoint == null) return 0;
  const known = parsedCheckpoint(ended.checkpoint);
  return known.epoch === ended.epoch ? known.size : 0;
}
