import type { Database } from 'better-sqlite3';
import { afterDash } from '../callFacts.js';
import type { Projection } from '../projection.js';
import { rowFold, type Projected } from '../readModel/rowFold.js';
import { statement } from '../readModel/statements.js';

const handles = ['McpServerRegistered', 'McpServerEnabled', 'McpServerDisabled', 'McpServerRemoved'] as const;
type Handled = Projected<(typeof handles)[number]>;

/** Every MCP server ever registered and how its registration stands. */
export const mcpServers: Projection = {
  name: 'mcpServers',
  version: 1,
  handles,
  opensBoxes: false,
  onPoison: 'halt',
  tables: `
    CREATE TABLE servers (
      server_id TEXT PRIMARY KEY, registered_order INTEGER NOT NULL, workspace TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
      scheme TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, credential TEXT NOT NULL, state TEXT NOT NULL,
      registered_at INTEGER NOT NULL, registered_by TEXT NOT NULL, changed_at INTEGER NOT NULL) STRICT;`,
  indexes: 'CREATE INDEX servers_by_workspace ON servers (workspace, registered_order);',
  rows: ['SELECT * FROM servers ORDER BY server_id'],
  fold: (db) => rowFold(handles, (event) => apply(db, event)),
};

function apply(db: Database, event: Handled): void {
  switch (event.type) {
    case 'McpServerRegistered': {
      const { data, envelope, ordinal } = event;
      statement(db, "INSERT INTO servers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'enabled', ?, ?, ?)").run(
        data.serverId, ordinal, afterDash(envelope.stream), data.name, data.kind, data.scheme, data.host, data.port,
        data.credential, envelope.recordedAt, envelope.actor, envelope.recordedAt,
      );
      return;
    }
    case 'McpServerEnabled':
      setState(db, event.data.serverId, 'enabled', event.envelope.recordedAt);
      return;
    case 'McpServerDisabled':
      setState(db, event.data.serverId, 'disabled', event.envelope.recordedAt);
      return;
    case 'McpServerRemoved':
      setState(db, event.data.serverId, 'removed', event.envelope.recordedAt);
      return;
  }
}

function setState(db: Database, serverId: string, state: string, at: number): void {
  const changed = statement(db, 'UPDATE servers SET state = ?, changed_at = ? WHERE server_id = ?').run(state, at, serverId);
  if (changed.changes === 0) throw new Error(`Server ${serverId} was never registered`);
}
