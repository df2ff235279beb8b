import type { Database } from 'better-sqlite3';
import { afterDash } from '../callFacts.js';
import type { Projection } from '../projection.js';
import { rowFold, type Projected } from '../readModel/rowFold.js';
import { statement } from '../readModel/statements.js';

const handles = [
  'WorkspaceOpened',
  'WorkspaceClosed',
  'ToolSwitchSet',
  'DefinitionPolicySet',
  'McpServerRegistered',
  'McpServerEnabled',
  'McpServerDisabled',
  'McpServerAutoDisabled',
  'McpServerRemoved',
  'McpToolsDiscovered',
  'McpToolDefinitionsAccepted',
  'McpToolSwitchSet',
  'McpServerAudienceSet',
  'ToolDefinitionRecorded',
] as const;
type Handled = Projected<(typeof handles)[number]>;

/** The facts from which tool availability is judged, per workspace, for display. */
export const toolRegistry: Projection = {
  name: 'toolRegistry',
  version: 3,
  handles,
  opensBoxes: false,
  onPoison: 'halt',
  tables: `
    CREATE TABLE workspaces (
      workspace TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, opened_at INTEGER NOT NULL, changed_at INTEGER NOT NULL) STRICT;
    CREATE TABLE switches (workspace TEXT NOT NULL, tool TEXT NOT NULL, is_on INTEGER NOT NULL, PRIMARY KEY (workspace, tool)) STRICT, WITHOUT ROWID;
    CREATE TABLE policies (workspace TEXT PRIMARY KEY, policy TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE servers (
      server_id TEXT PRIMARY KEY, registered_order INTEGER NOT NULL, workspace TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
      enabled INTEGER NOT NULL, discovered INTEGER NOT NULL,
      roles TEXT, channels TEXT, person TEXT) STRICT;
    CREATE TABLE tools (
      server_id TEXT NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, remote_name TEXT NOT NULL, definition TEXT NOT NULL,
      PRIMARY KEY (server_id, place)) STRICT, WITHOUT ROWID;
    CREATE TABLE accepted (server_id TEXT NOT NULL, definition TEXT NOT NULL, PRIMARY KEY (server_id, definition)) STRICT, WITHOUT ROWID;
    CREATE TABLE switched_off (server_id TEXT NOT NULL, remote_name TEXT NOT NULL, PRIMARY KEY (server_id, remote_name)) STRICT, WITHOUT ROWID;
    CREATE TABLE definitions (hash TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT;`,
  indexes: 'CREATE INDEX servers_by_workspace ON servers (workspace, registered_order);',
  rows: [
    'SELECT * FROM workspaces ORDER BY workspace',
    'SELECT * FROM switches ORDER BY workspace, tool',
    'SELECT * FROM policies ORDER BY workspace',
    'SELECT * FROM servers ORDER BY server_id',
    'SELECT * FROM tools ORDER BY server_id, place',
    'SELECT * FROM accepted ORDER BY server_id, definition',
    'SELECT * FROM switched_off ORDER BY server_id, remote_name',
    'SELECT * FROM definitions ORDER BY hash',
  ],
  fold: (db) => rowFold(handles, (event) => apply(db, event)),
};

function apply(db: Database, event: Handled): void {
  const { envelope, ordinal } = event;
  const owner = afterDash(envelope.stream);
  switch (event.type) {
    case 'WorkspaceOpened':
      statement(
        db,
        `INSERT INTO workspaces VALUES (?, ?, 'open', ?, ?)
         ON CONFLICT (workspace) DO UPDATE SET kind = excluded.kind, state = 'open', changed_at = excluded.changed_at`,
      ).run(owner, event.data.kind, envelope.recordedAt, envelope.recordedAt);
      return;
    case 'WorkspaceClosed':
      mustChange(statement(db, "UPDATE workspaces SET state = 'closed', changed_at = ? WHERE workspace = ?").run(envelope.recordedAt, owner), owner);
      return;
    case 'ToolSwitchSet':
      statement(db, 'INSERT OR REPLACE INTO switches VALUES (?, ?, ?)').run(owner, event.data.tool, event.data.on ? 1 : 0);
      return;
    case 'DefinitionPolicySet':
      if (event.data.policy === null) statement(db, 'DELETE FROM policies WHERE workspace = ?').run(owner);
      else statement(db, 'INSERT OR REPLACE INTO policies VALUES (?, ?)').run(owner, event.data.policy);
      return;
    case 'McpServerRegistered':
      statement(db, 'INSERT INTO servers VALUES (?, ?, ?, ?, ?, 1, 0, NULL, NULL, NULL)').run(event.data.serverId, ordinal, owner, event.data.name, event.data.kind);
      return;
    case 'McpServerEnabled':
    case 'McpServerDisabled':
    case 'McpServerAutoDisabled':
      setEnabled(db, event.data.serverId, event.type === 'McpServerEnabled');
      return;
    case 'McpServerRemoved':
      for (const table of ['servers', 'tools', 'accepted', 'switched_off']) statement(db, `DELETE FROM ${table} WHERE server_id = ?`).run(event.data.serverId);
      return;
    case 'McpToolsDiscovered':
      discover(db, event.data.serverId, event.data.tools);
      return;
    case 'McpToolDefinitionsAccepted':
      accept(db, event.data.serverId, event.data.definitions);
      return;
    case 'McpToolSwitchSet': {
      const { serverId, remoteName, on } = event.data;
      statement(db, on ? 'DELETE FROM switched_off WHERE server_id = ? AND remote_name = ?' : 'INSERT OR IGNORE INTO switched_off VALUES (?, ?)').run(serverId, remoteName);
      return;
    }
    case 'McpServerAudienceSet': {
      const { serverId, roles, channels, person } = event.data;
      const asText = (list: readonly string[] | null): string | null => (list === null ? null : JSON.stringify(list));
      mustChange(statement(db, 'UPDATE servers SET roles = ?, channels = ?, person = ? WHERE server_id = ?').run(asText(roles), asText(channels), person, serverId), serverId);
      return;
    }
    case 'ToolDefinitionRecorded':
      statement(db, 'INSERT OR IGNORE INTO definitions VALUES (?, ?)').run(event.data.hash, JSON.stringify(event.data.definition));
      return;
  }
}

interface DiscoveredTool {
  readonly name: string;
  readonly remoteName: string;
  readonly definition: string;
}

function discover(db: Database, serverId: string, tools: readonly DiscoveredTool[]): void {
  mustChange(statement(db, 'UPDATE servers SET discovered = 1 WHERE server_id = ?').run(serverId), serverId);
  statement(db, 'DELETE FROM tools WHERE server_id = ?').run(serverId);
  tools.forEach((tool, place) => {
    statement(db, 'INSERT INTO tools VALUES (?, ?, ?, ?, ?)').run(serverId, place, tool.name, tool.remoteName, tool.definition);
  });
}

function accept(db: Database, serverId: string, definitions: readonly string[]): void {
  for (const definition of definitions) statement(db, 'INSERT OR IGNORE INTO accepted VALUES (?, ?)').run(serverId, definition);
}

function setEnabled(db: Database, serverId: string, enabled: boolean): void {
  mustChange(statement(db, 'UPDATE servers SET enabled = ? WHERE server_id = ?').run(enabled ? 1 : 0, serverId), serverId);
}

function mustChange(result: { readonly changes: number }, what: string): void {
  if (result.changes === 0) throw new Error(`${what} is not known`);
}
