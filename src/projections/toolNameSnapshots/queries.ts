/** Names last discovered: at most 100, each at most 128 code points. */
export interface SnapshotView {
  readonly serverId: string;
  readonly serverName: string;
  /** Null: never discovered. Empty: discovered, and it offers none. */
  readonly names: readonly string[] | null;
  /** How many there were beyond those kept. */
  readonly more: number;
  readonly discoveredAt: number | null;
}
