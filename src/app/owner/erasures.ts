import { ledgerPrivacyStream } from '../../commands/ledgerPrivacy.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import { boxesOf } from '../../events/box.js';
import { comparePositions, systemSubject, type Position } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import type { Vault } from '../../platform/vault/vault.js';

const pageSize = 1_000;

/** What the ledger says of keys that must not be there. */
export interface Erasures {
  readonly erased: readonly string[];
  /** Up to which position people without a key were given up; null: never. */
  readonly lostUpTo: Position | null;
}

/** Reads who was erased, and which loss of keys was accepted last. */
export async function readErasures(ledger: Pick<EventReader, 'readStream'>): Promise<Erasures> {
  const erased: string[] = [];
  let lostUpTo: Position | null = null;
  for (let from = 0; ; from += pageSize) {
    const page = await ledger.readStream(ledgerPrivacyStream, from, pageSize);
    for (const event of page) {
      const decoded = catalogue.decode(event);
      if (decoded.type === 'SubjectErased') erased.push(decoded.data.subject);
      if (decoded.type === 'KeyLossAccepted') lostUpTo = decoded.data.upTo;
    }
    if (page.length < pageSize) return { erased, lostUpTo };
  }
}

/**
 * Brings the keys in line with the ledger before anything is read with them: destroys those of everybody who was
 * erased, and enters those whose loss was accepted as destroyed. Finishes what a crash left undone, and makes old keys
 * that were put back harmless.
 * @returns false when a reader keeps old pages of the file
 */
export async function applyErasures(ledger: Pick<EventReader, 'readAll'>, vault: Vault, { erased, lostUpTo }: Erasures): Promise<boolean> {
  if (lostUpTo !== null && vault.lostUpTo() !== lostUpTo) {
    const lost = await peopleWithoutKey(ledger, vault, lostUpTo);
    await vault.destroySubjects(lost);
    await vault.setLostUpTo(lostUpTo);
  }
  return vault.destroySubjects(erased);
}

/** Everybody who occurs in the ledger up to a position and whom the vault does not know. */
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
