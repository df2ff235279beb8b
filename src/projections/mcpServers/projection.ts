import type { Database } from 'better-sqlite3';
import { afterDash } from '../callFacts.js';
import type { Projection } from '../projection.js';
import { rowFold, type Projected } from '../readModel/rowFold.js';
import { statement } from '../readModel/statements.js';

const handles = [
  'McpServerRegistered',
  'McpServerEnabled',
  'McpServerDisabled',
  'McpServerAutoDisabled',
  'McpServerRemoved',
  'McpCredentialReplaced',
  'McpCredentialDeleted',
  'McpConnectionFailed',
  'McpConnectionRecovered',
  'McpServerParked',
  'McpServerUnparked',
  'McpSignInCompleted',
  'McpTokenRefreshed',
  'McpReauthorizationRequired',
  'McpSignedOut',
] as const;
type Handled = Projected<(typeof handles)[number]>;

/** Every MCP server ever registered, how its registration stands and how its connection does. */
export const mcpServers: Projection = {
  name: 'mcpServers',
  version: 6,
  handles,
  opensBoxes: false,
  onPoison: 'halt',
  tables: `
    CREATE TABLE servers (
      server_id TEXT PRIMARY KEY, registered_order INTEGER NOT NULL, workspace TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
      scheme TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, credential TEXT NOT NULL, state TEXT NOT NULL,
      registered_at INTEGER NOT NULL, registered_by TEXT NOT NULL, changed_at INTEGER NOT NULL,
      auto_disabled INTEGER NOT NULL, failures INTEGER NOT NULL, failing_since INTEGER, failure_class TEXT, wait_until INTEGER,
      parked_reason TEXT, parked_at INTEGER,
      signer TEXT, signed_in_at INTEGER, issuer TEXT, scopes TEXT, renewable INTEGER, lapsed TEXT, wanted TEXT) STRICT;`,
  indexes: 'CREATE INDEX servers_by_workspace ON servers (workspace, registered_order);',
  rows: ['SELECT * FROM servers ORDER BY server_id'],
  fold: (db) => rowFold(handles, (event) => apply(db, event)),
};

const noFailures = 'auto_disabled = 0, failures = 0, failing_since = NULL, failure_class = NULL, wait_until = NULL';

function apply(db: Database, event: Handled): void {
  if (event.type === 'McpServerRegistered') {
    register(db, event);
    return;
  }
  const { serverId } = event.data;
  const { columns, values } = changeOf(event);
  const changed = statement(db, `UPDATE servers SET ${columns} WHERE server_id = ?`).run(...values, serverId);
  if (changed.changes === 0) throw new Error(`Server ${serverId} was never registered`);
}

interface Change {
  /** The part of an UPDATE between SET and WHERE. */
  readonly columns: string;
  readonly values: readonly (string | number | null)[];
}

function changeOf(event: Exclude<Handled, { type: 'McpServerRegistered' }>): Change {
  const { recordedAt } = event.envelope;
  switch (event.type) {
    case 'McpServerEnabled':
      return { columns: `state = 'enabled', changed_at = ?, ${noFailures}, parked_reason = NULL, parked_at = NULL`, values: [recordedAt] };
    case 'McpServerDisabled':
      return { columns: `state = 'disabled', changed_at = ?, ${noFailures}`, values: [recordedAt] };
    case 'McpServerAutoDisabled':
      return { columns: "state = 'disabled', changed_at = ?, auto_disabled = 1, wait_until = NULL", values: [recordedAt] };
    case 'McpServerRemoved':
      return { columns: "state = 'removed', changed_at = ?", values: [recordedAt] };
    case 'McpCredentialReplaced':
      return { columns: 'credential = ?', values: [event.data.credential] };
    case 'McpCredentialDeleted':
      return { columns: "credential = 'deleted'", values: [] };
    case 'McpConnectionFailed':
      return failure(event.data, recordedAt);
    case 'McpConnectionRecovered':
      return { columns: 'failures = 0, failing_since = NULL, failure_class = NULL, wait_until = NULL', values: [] };
    case 'McpServerParked':
      return { columns: 'parked_reason = ?, parked_at = ?', values: [event.data.reason, recordedAt] };
    case 'McpServerUnparked':
      return { columns: 'parked_reason = NULL, parked_at = NULL', values: [] };
    case 'McpSignInCompleted': {
      const { signer, issuer, scopes, renewable } = event.data;
      return {
        columns: 'signer = ?, signed_in_at = ?, issuer = ?, scopes = ?, renewable = ?, lapsed = NULL, wanted = NULL',
        values: [signer, recordedAt, issuer, scopes === null ? null : JSON.stringify(scopes), renewable ? 1 : 0],
      };
    }
    case 'McpTokenRefreshed':
      // Good again, after it was taken for lost; but not for what was never granted.
      return { columns: "scopes = coalesce(?, scopes), lapsed = CASE lapsed WHEN 'insufficient_scope' THEN lapsed END", values: [event.data.scopes === null ? null : JSON.stringify(event.data.scopes)] };
    case 'McpReauthorizationRequired':
      return { columns: 'lapsed = ?, wanted = ?', values: [event.data.reason, JSON.stringify(event.data.scopes)] };
    case 'McpSignedOut':
      return { columns: 'signer = NULL, signed_in_at = NULL, issuer = NULL, scopes = NULL, renewable = NULL, lapsed = NULL, wanted = NULL', values: [] };
  }
}

function failure({ counted, streak, class: what, cooldownMs }: Projected<'McpConnectionFailed'>['data'], recordedAt: number): Change {
  const waiting: Change = cooldownMs === 0 ? { columns: 'wait_until = wait_until', values: [] } : { columns: 'wait_until = ?', values: [recordedAt + cooldownMs] };
  if (!counted) return waiting;
  return { columns: `failures = ?, failing_since = coalesce(failing_since, ?), failure_class = ?, ${waiting.columns}`, values: [streak, recordedAt, what, ...waiting.values] };
}

function register(db: Database, { data, envelope, ordinal }: Projected<'McpServerRegistered'>): void {
  statement(db, "INSERT INTO servers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'enabled', ?, ?, ?, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)").run(
    data.serverId, ordinal, afterDash(envelope.stream), data.name, data.kind, data.scheme, data.host, data.port,
    data.credential, envelope.recordedAt, envelope.actor, envelope.recordedAt,
  );
}
