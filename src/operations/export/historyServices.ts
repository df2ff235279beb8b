import type { Position } from '../../events/envelope.js';
import type { LedgerServices, ViewServices } from '../services.js';

/** For operations that go through the whole ledger with the views beside it. Nothing is brought up to date for them. */
export interface HistoryServices extends Pick<LedgerServices, 'ledger' | 'openBoxes'>, Pick<ViewServices, 'views'> {
  /** Whether a person's values can still be opened. */
  readonly hasKey: (subject: string) => boolean;
  /**
   * Position of the last event recorded before a time, or null when there is none.
   * @param time milliseconds since the epoch
   */
  readonly lastBefore: (time: number) => Position | null;
}
