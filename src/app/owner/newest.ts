import type { LedgerHead } from '../../events/eventStore.js';

/** The newest event of a ledger as events about the ledger itself name it. */
export interface Newest {
  readonly position: string;
  /** Hex. */
  readonly leaf: string;
}

/** @returns null for an empty ledger */
export function newestOf(head: LedgerHead | null): Newest | null {
  return head === null ? null : { position: head.position, leaf: Buffer.from(head.leaf).toString('hex') };
}
