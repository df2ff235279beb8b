import type { Database } from 'better-sqlite3';
import type { RecordedToolDefinition } from '../../events/catalogue/toolDefinition.js';
import { statement } from '../readModel/statements.js';

/** What is known of a workspace's tools, for display; built-in tools are not in it, the program brings them. */
export interface RegistryView {
  readonly workspace: string;
  readonly state: 'unknown' | 'open' | 'closed';
  readonly switches: ReadonlyArray<readonly [tool: string, on: boolean]>;
  /** What the workspace says of definitions that changed; null: the deployment's rule. */
  readonly policy: 'warn' | 'hold' | null;
  readonly servers: readonly RegistryServer[];
}

/** A registered server; removed ones are not in the registry. */
export interface RegistryServer {
  readonly serverId: string;
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  /** Null: never discovered. */
  readonly tools: readonly RegistryTool[] | null;
  /** The server's own names of tools that are switched off. */
  readonly switchedOff: readonly string[];
  /** Null: everyone, everywhere, or no one person. */
  readonly audience: { readonly roles: readonly string[] | null; readonly channels: readonly string[] | null; readonly person: string | null };
}

export interface RegistryTool {
  readonly name: string;
  readonly remoteName: string;
  readonly definition: string;
  readonly accepted: boolean;
  /** Null when its text was never recorded. */
  readonly text: RecordedToolDefinition | null;
}

export interface WorkspaceView {
  readonly workspace: string;
  readonly kind: string;
  readonly state: 'open' | 'closed';
  readonly openedAt: number;
  readonly changedAt: number;
}

/** The registry of one workspace; servers in order of registration, tools in the order the server lists them. */
export function registryOf(db: Database, workspace: string): RegistryView {
  const state = statement<[string], 'open' | 'closed'>(db, 'SELECT state FROM workspaces WHERE workspace = ?').pluck().get(workspace);
  const switches = statement<[string], { tool: string; is_on: number }>(
    db,
    'SELECT tool, is_on FROM switches WHERE workspace = ? ORDER BY tool',
  ).all(workspace);
  const policy = statement<[string], 'warn' | 'hold'>(db, 'SELECT policy FROM policies WHERE workspace = ?').pluck().get(workspace);
  const servers = statement<[string], StoredServer>(
    db,
    'SELECT server_id, name, kind, enabled, discovered, roles, channels, person FROM servers WHERE workspace = ? ORDER BY registered_order',
  ).all(workspace);
  return {
    workspace,
    state: state ?? 'unknown',
    switches: switches.map(({ tool, is_on }) => [tool, is_on === 1]),
    policy: policy ?? null,
    servers: servers.map((server) => ({
      serverId: server.server_id,
      name: server.name,
      kind: server.kind,
      enabled: server.enabled === 1,
      tools: server.discovered === 1 ? toolsOf(db, server.server_id) : null,
      switchedOff: statement<[string], string>(db, 'SELECT remote_name FROM switched_off WHERE server_id = ? ORDER BY remote_name').pluck().all(server.server_id),
      audience: { roles: listIn(server.roles), channels: listIn(server.channels), person: server.person },
    })),
  };
}

/** All workspaces ever opened, in order of their ids. */
export function allWorkspaces(db: Database): readonly WorkspaceView[] {
  return statement<[], WorkspaceView>(
    db,
    'SELECT workspace, kind, state, opened_at AS openedAt, changed_at AS changedAt FROM workspaces ORDER BY workspace',
  ).all();
}

interface StoredServer {
  readonly server_id: string;
  readonly name: string;
  readonly kind: string;
  readonly enabled: number;
  readonly discovered: number;
  readonly roles: string | null;
  readonly channels: string | null;
  readonly person: string | null;
}

function listIn(text: string | null): readonly string[] | null {
  return text === null ? null : (JSON.parse(text) as readonly string[]);
}

interface StoredTool {
  readonly name: string;
  readonly remoteName: string;
  readonly definition: string;
  readonly accepted: number;
  readonly text: string | null;
}

function toolsOf(db: Database, serverId: string): readonly RegistryTool[] {
  const rows = statement<[string], StoredTool>(
    db,
    `SELECT t.name, t.remote_name AS remoteName, t.definition, a.definition IS NOT NULL AS accepted, d.definition AS text
     FROM tools t
     LEFT JOIN accepted a ON a.server_id = t.server_id AND a.definition = t.definition
     LEFT JOIN definitions d ON d.hash = t.definition
     WHERE t.server_id = ? ORDER BY t.place`,
  ).all(serverId);
  return rows.map((row) => ({
    ...row,
    accepted: row.accepted === 1,
    text: row.text === null ? null : (JSON.parse(row.text) as RecordedToolDefinition),
  }));
}
