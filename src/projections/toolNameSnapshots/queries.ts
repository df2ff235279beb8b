import type { Database } from 'better-sqlite3';
import { statement } from '../readModel/statements.js';

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

type StoredSnapshot = Omit<SnapshotView, 'names'> & { readonly names: string | null };

/** The snapshots of a workspace's registered servers, in order of registration. */
export function snapshotsOf(db: Database, workspace: string): readonly SnapshotView[] {
  const rows = statement<[string], StoredSnapshot>(
    db,
    `SELECT server_id AS serverId, server_name AS serverName, names, more, discovered_at AS discoveredAt
     FROM snapshots WHERE workspace = ? ORDER BY registered_order`,
  ).all(workspace);
  return rows.map((row) => ({ ...row, names: row.names === null ? null : (JSON.parse(row.names) as string[]) }));
}
