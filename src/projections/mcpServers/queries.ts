import type { Database } from 'better-sqlite3';
import { statement } from '../readModel/statements.js';

/** A server as admins see it. */
export interface ServerView {
  readonly serverId: string;
  readonly name: string;
  readonly kind: string;
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  readonly credential: string;
  readonly state: 'enabled' | 'disabled' | 'removed';
  readonly registeredAt: number;
  readonly registeredBy: string;
  readonly changedAt: number;
}

/** All servers of a workspace in order of registration, removed ones too. */
export function serversOf(db: Database, workspace: string): readonly ServerView[] {
  return statement<[string], ServerView>(
    db,
    `SELECT server_id AS serverId, name, kind, scheme, host, port, credential, state, registered_at AS registeredAt,
       registered_by AS registeredBy, changed_at AS changedAt
     FROM servers WHERE workspace = ? ORDER BY registered_order`,
  ).all(workspace);
}
