/** What is wrong with what was signed; see `Damage` of the verification. */
export interface Problem {
  /** The event that shows it, or null when it is no single event's fault. */
  readonly position: string | null;
  readonly kind: 'checkpoint' | 'missing' | 'log' | 'epoch';
  readonly detail: string;
}
