import type { Seal } from '../../../commands/ledgerSeal.js';
import type { EventReader } from '../../../events/eventStore.js';
import { Fault } from '../../../platform/fault.js';
import { parseVkey, type NoteVerifier } from '../../../platform/tlog/noteKey.js';
import type { SealFiles } from '../sealFiles.js';
import { readEpochs } from './epochs.js';
import { isSignedBy, parsedCheckpoint } from './knownCheckpoint.js';
import { judgePast, type EpochReport } from './pastEpochs.js';
import type { PastTree } from './pastSeals.js';
import type { Problem } from './problem.js';
import { headText, RecordedSeals, type LoggedSeal } from './recordedSeals.js';
import { counted } from '../../../platform/text/counted.js';

/** A signed head to compare the ledger with; see `SealedTree` of the verification. */
interface Head {
  readonly size: number;
  readonly root: string;
  readonly recorded: boolean;
}

/** Everything signed that a ledger can be compared with. */
export interface SignedHeads {
  /** Smallest first. */
  readonly heads: readonly Head[];
  /** The newest seal of the present epoch, or null. */
  readonly newest: Seal | null;
  /** How many checkpoints outside the ledger are among the heads. */
  readonly outside: number;
  /** What is wrong with the checkpoints themselves; null: nothing. */
  readonly problem: Problem | null;
  /** Oldest first; the last one is the present one. */
  readonly epochs: readonly EpochReport[];
  /** Trees of earlier epochs, to be compared with what was kept of them. */
  readonly past: readonly PastTree[];
}

/**
 * Gathers all seals of a ledger and all checkpoints that lie outside of it, also while it is being sealed. Those of
 * earlier epochs that are not in the ledger are left out: what they tell of was given up. Epochs that are over are
 * checked each for itself.
 * @throws EventStoreError, Fault of the catalogue when the seals cannot be read
 */
export async function signedHeads(reader: Pick<EventReader, 'readStream' | 'leafAt'>, files: SealFiles): Promise<SignedHeads> {
  const ledger = new RecordedSeals(reader, files.log.id);
  await ledger.readOn();
  const { strange, outside, problem: found } = await readOutside(ledger, files);
  let problem = found;
  // What was signed meanwhile was recorded before it was given out.
  await ledger.readOn();
  const epochs = await readEpochs(reader);
  const heads: Head[] = [...ledger.heads];
  for (const text of strange) {
    const judged = ledger.hasRecorded(text) ? null : judgeOutside(text, epochs.present, ledger.keys);
    if (judged !== null && 'size' in judged) heads.push(judged);
    else problem ??= judged;
  }
  const { newest } = ledger;
  if (newest !== null && !isSignedAsItSays(newest)) problem ??= checkpointProblem(`the newest seal, of ${counted(newest.size, 'event')}, is not signed by the key it names`);
  const present = newest?.epoch === epochs.present ? newest : null;
  const past = await judgePast(reader, files, epochs, ledger);
  return {
    heads: heads.sort((a, b) => a.size - b.size),
    newest: present,
    outside: outside + heads.length - ledger.heads.length,
    problem: problem ?? past.problem,
    epochs: [...past.epochs, { epoch: epochs.present, kept: null, sealed: present?.size ?? 0, signed: present?.size ?? 0, seals: null }],
    past: past.trees,
  };
}

/** What lies outside the ledger, as far as it was read before. */
interface Outside {
  /** Checkpoints the ledger has not recorded. */
  readonly strange: readonly string[];
  /** How many it has. */
  readonly outside: number;
  readonly problem: Problem | null;
}

async function readOutside(ledger: RecordedSeals, files: SealFiles): Promise<Outside> {
  const awaited = new Map(ledger.logged.map((seal) => [seal.head, seal]));
  // Before the log: a checkpoint is in the log before it is published.
  const published = await publishedTexts(files);
  const isPublished = new Set(published.map(headText));
  const strange: string[] = [];
  let outside = 0;
  let isBroken = false;
  const take = (text: string): void => {
    if (ledger.hasRecorded(text)) outside += 1;
    else strange.push(text);
  };
  for await (const text of files.logged()) {
    if (text === null) {
      isBroken = true;
      continue;
    }
    take(text);
    awaited.delete(headText(text));
  }
  published.forEach(take);
  const lacking = [...awaited.values()].filter(({ head, isCertain }) => isCertain || isPublished.has(head));
  return { strange, outside, problem: isBroken ? checkpointProblem('a line of the checkpoint log is not a checkpoint') : logProblem(lacking, files.log) };
}

/** What the logs of all epochs give out. */
async function publishedTexts(files: SealFiles): Promise<readonly string[]> {
  const texts = await Promise.all((await files.epochs()).map((epoch) => files.published(epoch)));
  return texts.filter((text) => text !== null);
}

/** Names what the checkpoint log was given and does not hold. */
function logProblem(lacking: readonly LoggedSeal[], { file }: SealFiles['log']): Problem | null {
  const [first, ...others] = lacking;
  if (first === undefined) return null;
  const more = others.length === 0 ? '' : `, nor ${others.length} others`;
  return { position: null, kind: 'log', detail: `${file} does not hold the checkpoint of ${counted(first.size, 'event')} (epoch ${first.epoch}) that the ledger says it was given${more}` };
}

/** @returns the head it tells of, what is wrong with it, or null when it is of an epoch that is over */
function judgeOutside(text: string, epoch: number, keys: readonly NoteVerifier[]): Head | Problem | null {
  let known;
  try {
    known = parsedCheckpoint(text);
  } catch (error) {
    if (error instanceof Fault) return checkpointProblem(error.message);
    throw error;
  }
  if (known.epoch > 0 && known.epoch < epoch) return null;
  const { size, origin } = known;
  const root = Buffer.from(known.root).toString('hex');
  if (!isSignedBy(known, keys)) {
    return checkpointProblem(`a checkpoint of ${counted(size, 'event')} (${origin}) is not signed by a key that this ledger knows: it is forged, of another ledger, or the ledger is a copy from before it was signed`);
  }
  if (known.epoch > epoch) return { position: null, kind: 'missing', detail: `a checkpoint was signed in epoch ${known.epoch}, and the ledger does not know that it began` };
  return { size, root, recorded: false };
}

function isSignedAsItSays({ key, checkpoint, size, root }: Seal): boolean {
  const known = parsedCheckpoint(checkpoint);
  return known.size === size && Buffer.from(known.root).toString('hex') === root && known.origin === parseVkey(key).name && isSignedBy(known, [parseVkey(key)]);
}

function checkpointProblem(detail: string): Problem {
  return { position: null, kind: 'checkpoint', detail };
}
