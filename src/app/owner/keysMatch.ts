import { comparePositions, systemSubject } from '../../events/envelope.js';
import type { EventStore } from '../../events/eventStore.js';
import { Fault } from '../../platform/fault.js';
import { fileSize } from '../../platform/files/fileSize.js';
import type { Vault } from '../../platform/vault/vault.js';
import type { DataFiles } from '../dataFiles.js';
import type { Erasures } from './erasures.js';

/** How many of the newest events are looked at. */
const lookedAt = 256;

/**
 * Stops a start on a ledger whose keys are gone, before new ones are made: everyone would become somebody else, and
 * call ids given before would run again.
 * @throws Fault `keys_missing`
 */
export function refuseMissingKeys(files: DataFiles): void {
  if (fileSize(files.ledger) > 0 && fileSize(files.keys) + fileSize(`${files.keys}-wal`) === 0) throw keysMissing(files, `${files.keys} is missing`);
}

/**
 * Stops a start with keys that are older than the ledger, or belong to another one: people of the newest events are not
 * among them. Those who were erased, or whose keys were given up, need not be.
 * @throws Fault `keys_missing`
 */
export async function refuseForeignKeys(
  store: Pick<EventStore, 'head' | 'readAll'>,
  vault: Pick<Vault, 'knows'>,
  files: DataFiles,
  { erased, lostUpTo }: Erasures,
): Promise<void> {
  const head = await store.head();
  if (head === null) return;
  const after = Math.max(0, Number(head.position) - lookedAt);
  const events = await store.readAll(after === 0 ? null : String(after), lookedAt);
  const newer = events.filter(({ position }) => lostUpTo === null || comparePositions(position, lostUpTo) > 0);
  const people = new Set(newer.flatMap(({ actor, onBehalfOf }) => [actor, ...(onBehalfOf === null ? [] : [onBehalfOf])]));
  for (const subject of [systemSubject, ...erased]) people.delete(subject);
  for (const subject of people) if (!(await vault.knows(subject))) throw keysMissing(files, `${files.keys} does not know a person who acted lately`);
}

function keysMissing(files: DataFiles, what: string): Fault {
  return new Fault(
    'damaged',
    'keys_missing',
    `${what}, and ${files.ledger} holds events. Put back the keys.db and master.key that belong to it, or a backup with \`toolledger keys restore\`: ` +
      'without them sealed values cannot be read, and call ids given before would run again. When they are lost for good, ' +
      '`toolledger ledger accept-loss --keys` goes on without them. Nothing was changed.',
    { file: files.keys },
  );
}
