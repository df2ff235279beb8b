import type { Database } from 'better-sqlite3';
import { afterDash } from '../callFacts.js';
import type { Projection } from '../projection.js';
import { rowFold, type Projected } from '../readModel/rowFold.js';
import { statement } from '../readModel/statements.js';

/** Most names kept of a server. */
export const snapshotNames = 100;
/** Most code points kept of a name. */
export const snapshotNameLength = 128;

const handles = ['McpServerRegistered', 'McpServerRemoved', 'McpToolsDiscovered'] as const;
type Handled = Projected<(typeof handles)[number]>;

/** The tool names each server last offered: a bounded cache for display. Unknown is not empty. */
export const toolNameSnapshots: Projection = {
  name: 'toolNameSnapshots',
  version: 1,
  handles,
  opensBoxes: false,
  onPoison: 'park',
  tables: `
    CREATE TABLE snapshots (
      server_id TEXT PRIMARY KEY, registered_order INTEGER NOT NULL, workspace TEXT NOT NULL, server_name TEXT NOT NULL,
      names TEXT, more INTEGER NOT NULL, discovered_at INTEGER) STRICT;`,
  indexes: 'CREATE INDEX snapshots_by_workspace ON snapshots (workspace, registered_order);',
  rows: ['SELECT * FROM snapshots ORDER BY server_id'],
  fold: (db) => rowFold(handles, (event) => apply(db, event)),
};

function apply(db: Database, event: Handled): void {
  const { envelope } = event;
  switch (event.type) {
    case 'McpServerRegistered':
      statement(db, 'INSERT INTO snapshots VALUES (?, ?, ?, ?, NULL, 0, NULL)').run(
        event.data.serverId, event.ordinal, afterDash(envelope.stream), event.data.name,
      );
      return;
    case 'McpServerRemoved':
      statement(db, 'DELETE FROM snapshots WHERE server_id = ?').run(event.data.serverId);
      return;
    case 'McpToolsDiscovered': {
      const kept = event.data.tools.slice(0, snapshotNames).map(({ name }) => shortened(name));
      const more = event.data.tools.length - kept.length;
      const changed = statement(db, 'UPDATE snapshots SET names = ?, more = ?, discovered_at = ? WHERE server_id = ?').run(
        JSON.stringify(kept), more, envelope.recordedAt, event.data.serverId,
      );
      if (changed.changes === 0) throw new Error(`Server ${event.data.serverId} is not registered`);
      return;
    }
  }
}

function shortened(name: string): string {
  return name.length <= snapshotNameLength ? name : Array.from(name).slice(0, snapshotNameLength).join('');
}
