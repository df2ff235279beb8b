/** The first thing found that cannot be as it was written. */
export interface Damage {
  /** Where, or null when it is not one event's. */
  readonly position: string | null;
  readonly kind: 'structure' | 'unreadable' | 'missing' | 'payload_gone' | 'id' | 'revision' | 'recorded_at' | 'boxes' | 'leaf' | 'sealed' | 'checkpoint' | 'tile' | 'log' | 'epoch';
  readonly detail: string;
}

/** What a check found. */
export interface LedgerReport {
  /** How many events were checked and found as they were written. */
  readonly events: number;
  readonly damage: Damage | null;
}
