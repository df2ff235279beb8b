import type { LedgerOperationsEvent } from '../events/catalogue/ledgerOperations.js';

/** What was dropped, as it is on record. */
export type DropOnRecord = Extract<LedgerOperationsEvent, { type: 'EventsDropped' }>['data'];

/**
 * The calls of a log that go with a drop, by their places.
 * @param within the places of calls in a stretch; none after a rebuild, which never saw what was dropped
 */
export function droppedCalls({ category, from, to, kept }: DropOnRecord, within: (from: number, to: number) => readonly number[]): readonly number[] {
  if (category !== 'toolCall') return [];
  const stay = new Set(kept);
  return within(from, to).filter((seq) => !stay.has(seq));
}
