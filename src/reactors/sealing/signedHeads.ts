import { ledgerSealStream, type Seal } from '../../commands/ledgerSeal.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import type { LedgerSealEvent } from '../../events/catalogue/ledgerSeal.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { counted } from '../../platform/counted.js';
import { Fault } from '../../platform/fault.js';
import { parseVkey, renamed, type NoteVerifier } from '../../platform/tlog/noteKey.js';
import { knownSigners, parseNote } from '../../platform/tlog/signedNote.js';
import { parsedCheckpoint } from './knownCheckpoint.js';
import { sealedSoFar } from './newestSeal.js';
import type { SealFiles } from './sealFiles.js';

const pageSize = 500;

/** A signed head to compare the ledger with; see `SealedTree` of the verification. */
interface Head {
  readonly size: number;
  readonly root: string;
  readonly recorded: boolean;
}

/** What is wrong with a checkpoint, which is no single event's fault. */
interface Problem {
  readonly position: null;
  readonly kind: 'checkpoint' | 'missing';
  readonly detail: string;
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
}

/**
 * Gathers all seals of a ledger and all checkpoints that lie outside of it, also while it is being sealed. Those of
 * earlier epochs that are not in the ledger are left out: what they tell of was given up.
 * @throws EventStoreError, Fault of the catalogue when the seals cannot be read
 */
export async function signedHeads(reader: Pick<EventReader, 'readStream'>, files: SealFiles): Promise<SignedHeads> {
  const ledger = new RecordedSeals(reader);
  await ledger.readOn();
  const strange: string[] = [];
  let problem: Problem | null = null;
  let outside = 0;
  for await (const text of outsideTexts(files)) {
    if (text === null) problem ??= checkpointProblem('a line of the checkpoint log is not a checkpoint');
    else if (ledger.hasRecorded(text)) outside += 1;
    else strange.push(text);
  }
  // What was signed meanwhile was recorded before it was given out.
  await ledger.readOn();
  const { epoch } = await sealedSoFar(reader);
  const heads = [...ledger.heads];
  for (const text of strange) {
    const judged = ledger.hasRecorded(text) ? null : judgeOutside(text, epoch, ledger.keys);
    if (judged !== null && 'size' in judged) heads.push(judged);
    else problem ??= judged;
  }
  const { newest } = ledger;
  if (newest !== null && !isSignedAsItSays(newest)) problem ??= checkpointProblem(`the newest seal, of ${counted(newest.size, 'event')}, is not signed by the key it names`);
  return {
    heads: heads.sort((a, b) => a.size - b.size),
    newest: newest?.epoch === epoch ? newest : null,
    outside: outside + heads.length - ledger.heads.length,
    problem,
  };
}

async function* outsideTexts(files: SealFiles): AsyncGenerator<string | null> {
  yield* files.logged();
  for (const epoch of await files.epochs()) {
    const text = await files.published(epoch);
    if (text !== null) yield text;
  }
}

/** The seals that the ledger holds, read as far as it has come. */
class RecordedSeals {
  readonly heads: Head[] = [];
  readonly #keys = new Map<string, NoteVerifier>();
  readonly #recorded = new Set<string>();
  #from = 0;
  newest: Seal | null = null;

  constructor(private readonly reader: Pick<EventReader, 'readStream'>) {}

  get keys(): readonly NoteVerifier[] {
    return [...this.#keys.values()];
  }

  async readOn(): Promise<void> {
    let page: readonly RecordedEvent[];
    do {
      page = await this.reader.readStream(ledgerSealStream, this.#from, pageSize);
      for (const event of page) this.#take(catalogue.decode(event) as LedgerSealEvent);
      this.#from += page.length;
    } while (page.length === pageSize);
  }

  /** Whether a checkpoint tells of a head that the ledger knows. Who signed it does not matter then. */
  hasRecorded(text: string): boolean {
    const lines = text.split('\n', 3);
    return this.#recorded.has(lines.join('\n'));
  }

  #take({ type, data }: LedgerSealEvent): void {
    for (const vkey of type === 'LedgerSealed' ? [data.key] : [data.from, data.to]) if (!this.#keys.has(vkey)) this.#keys.set(vkey, parseVkey(vkey));
    if (type !== 'LedgerSealed') return;
    this.heads.push({ size: data.size, root: data.root, recorded: true });
    this.#recorded.add(`${this.#keys.get(data.key)?.name ?? ''}\n${data.size}\n${Buffer.from(data.root, 'hex').toString('base64')}`);
    this.newest = data;
  }
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
  const verifiers = keys.map((key) => renamed(key, origin));
  if (!isSigned(text, verifiers)) {
    return checkpointProblem(`a checkpoint of ${counted(size, 'event')} (${origin}) is not signed by a key that this ledger knows: it is forged, of another ledger, or the ledger is a copy from before it was signed`);
  }
  if (known.epoch > epoch) return { position: null, kind: 'missing', detail: `a checkpoint was signed in epoch ${known.epoch}, and the ledger does not know that it began` };
  return { size, root, recorded: false };
}

function isSignedAsItSays({ key, checkpoint, size, root }: Seal): boolean {
  const known = parsedCheckpoint(checkpoint);
  return known.size === size && Buffer.from(known.root).toString('hex') === root && isSigned(checkpoint, [parseVkey(key)]);
}

function isSigned(text: string, verifiers: readonly NoteVerifier[]): boolean {
  try {
    return knownSigners(parseNote(text), verifiers).length > 0;
  } catch {
    return false;
  }
}

function checkpointProblem(detail: string): Problem {
  return { position: null, kind: 'checkpoint', detail };
}
