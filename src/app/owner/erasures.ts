import { ledgerPrivacyStream } from '../../commands/ledgerPrivacy.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import { boxesOf } from '../../events/box.js';
import { comparePositions, systemSubject, type Position, type RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import type { Vault } from '../../platform/vault/vault.js';

const pageSize = 1_000;

/** What the ledger says of keys that must not be there, as far as the keys do not show that it was carried out. */
export interface Erasures {
  /** Who was erased since then. */
  readonly erased: readonly string[];
  /** Up to which position people without a key were given up; null: never. */
  readonly lostUpTo: Position | null;
  /** Names the newest event that was read of it; null: none. */
  readonly mark: string | null;
}

/**
 * Reads who was erased, and which loss of keys was accepted last, from where the vault says that it was carried out: a
 * start does not take longer with every erasure. Old keys that were put back name an older event, and a ledger that was
 * put back has not the event that the keys name; then everything is read.
 */
export async function readErasures(ledger: Pick<EventReader, 'readStream'>, vault: Pick<Vault, 'erasedUpTo' | 'lostUpTo'>): Promise<Erasures> {
  const done = await findMarked(ledger, vault.erasedUpTo());
  const erased: string[] = [];
  let lostUpTo: Position | null = done === null ? null : vault.lostUpTo();
  let newest = done;
  for (let from = done === null ? 0 : done.revision + 1; ; from += pageSize) {
    const page = await ledger.readStream(ledgerPrivacyStream, from, pageSize);
    for (const event of page) {
      const decoded = catalogue.decode(event);
      if (decoded.type === 'SubjectErased') erased.push(decoded.data.subject);
      if (decoded.type === 'KeyLossAccepted') lostUpTo = decoded.data.upTo;
      newest = event;
    }
    if (page.length < pageSize) return { erased, lostUpTo, mark: newest && markOf(newest) };
  }
}

/**
 * Brings the keys in line with the ledger before anything is read with them: destroys those of everyone who was
 * erased, and enters those whose loss was accepted as destroyed. Finishes what a crash left undone, and makes old keys
 * that were put back harmless.
 * @returns false when a reader keeps old pages of the file
 */
export async function applyErasures(ledger: Pick<EventReader, 'readAll'>, vault: Vault, { erased, lostUpTo, mark }: Erasures): Promise<boolean> {
  if (lostUpTo !== null && vault.lostUpTo() !== lostUpTo) {
    const lost = await peopleWithoutKey(ledger, vault, lostUpTo);
    await vault.destroySubjects(lost);
    await vault.setLostUpTo(lostUpTo);
  }
  const isSwept = await vault.destroySubjects(erased);
  // Last: what it says is done must be.
  if (mark !== null && mark !== vault.erasedUpTo()) await vault.setErasedUpTo(mark);
  return isSwept;
}

/** Which event, and that it is this one: the leaf covers all of it, and outlives the payload. */
function markOf({ revision, leaf }: Pick<RecordedEvent, 'revision' | 'leaf'>): string {
  return `${revision} ${Buffer.from(leaf).toString('hex')}`;
}

/** The event that a mark names, or null when this ledger does not have it. */
async function findMarked(ledger: Pick<EventReader, 'readStream'>, mark: string | null): Promise<RecordedEvent | null> {
  if (mark === null) return null;
  const [event] = await ledger.readStream(ledgerPrivacyStream, Number.parseInt(mark, 10), 1);
  return event !== undefined && markOf(event) === mark ? event : null;
}

/** Everyone who occurs in the ledger up to a position and whom the vault does not know. */
export async function peopleWithoutKey(ledger: Pick<EventReader, 'readAll'>, vault: Pick<Vault, 'knows'>, upTo: Position): Promise<readonly string[]> {
  const seen = new Set<string>();
  for (let after: Position | null = null; ; ) {
    const page = await ledger.readAll(after, pageSize);
    const within = page.filter(({ position }) => comparePositions(position, upTo) <= 0);
    for (const { actor, onBehalfOf, boxes } of within) for (const subject of [actor, onBehalfOf, ...boxesOf(boxes).map(([owner]) => owner)]) if (subject !== null) seen.add(subject);
    if (within.length < page.length || page.length === 0) break;
    after = page.at(-1)?.position ?? null;
  }
  seen.delete(systemSubject);
  const lost: string[] = [];
  for (const subject of seen) if (!(await vault.knows(subject))) lost.push(subject);
  return lost;
}
