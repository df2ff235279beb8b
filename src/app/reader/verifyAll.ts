import { verifyLedger } from '../../events/sqlite/verifying/verifyLedger.js';
import type { EventReader } from '../../events/eventStore.js';
import { EventStoreError } from '../../events/storeError.js';
import type { LedgerReport, OnChecked } from '../../operations/services.js';
import { Fault } from '../../platform/fault.js';
import type { SealFiles } from '../../reactors/sealing/sealFiles.js';
import { signedHeads, type SignedHeads } from '../../reactors/sealing/checking/signedHeads.js';

/** What is verified. */
export interface Verified {
  /** The ledger's file. */
  readonly file: string;
  readonly reader: EventReader;
  readonly seals: SealFiles;
}

const nothingSigned: SignedHeads = { heads: [], newest: null, outside: 0, problem: null, epochs: [], past: [] };

/**
 * Checks a ledger, its tiles, and every checkpoint there is of it. An event that is not as it was written goes before
 * anything that is wrong with checkpoints.
 * @param options `fromCheckpoint`: believe the newest seal, whose tree must lie in the tiles, and check what follows it
 * @throws EventStoreError as `verifyLedger`
 */
export async function verifyAll({ file, reader, seals }: Verified, { fromCheckpoint }: { readonly fromCheckpoint: boolean }, onProgress: OnChecked, signal: AbortSignal): Promise<LedgerReport> {
  const { heads, newest, outside, problem, epochs, past } = await readable(signedHeads(reader, seals));
  const tiles = newest === null ? null : { directory: seals.logDirectory(newest.epoch), size: newest.size };
  const from = fromCheckpoint && problem === null ? (newest?.size ?? 0) : 0;
  const { events, damage } = await verifyLedger(file, onProgress, signal, { heads, tiles, from, past, isPart: false });
  return { events, damage: damage ?? problem, skipped: from, sealed: newest?.size ?? 0, outside, epochs };
}

/** Where the seals cannot be read, the check of the events says why. */
async function readable(heads: Promise<SignedHeads>): Promise<SignedHeads> {
  try {
    return await heads;
  } catch (error) {
    if (error instanceof EventStoreError || (error instanceof Fault && error.kind === 'damaged')) return { ...nothingSigned, problem: { position: null, kind: 'checkpoint', detail: `the seals in the ledger cannot be read: ${error.message}` } };
    throw error;
  }
}
