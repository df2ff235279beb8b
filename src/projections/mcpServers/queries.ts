import type { Database } from 'better-sqlite3';
import type { McpServersEvent } from '../../events/catalogue/mcpServers/mcpServers.js';
import { statement } from '../readModel/statements.js';

/** A server as admins see it. */
export interface ServerView extends ServerStanding {
  readonly serverId: string;
  readonly name: string;
  readonly kind: string;
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  readonly state: 'enabled' | 'disabled' | 'removed';
  readonly registeredAt: number;
  readonly registeredBy: string;
  readonly changedAt: number;
  /** The account its tools are used with; null when nobody signed in. */
  readonly grant: GrantView | null;
}

/** An account that was signed in; times in milliseconds since the epoch. */
export interface GrantView {
  /** The subject of the admin who signed in. */
  readonly signer: string;
  readonly since: number;
  readonly issuer: string;
  /** Null: nobody said what was granted. */
  readonly scopes: readonly string[] | null;
  readonly renewable: boolean;
  /** Why it cannot be used until somebody signs in again; null while it can. */
  readonly lapsed: string | null;
  /** What the next sign-in has to ask for at least. */
  readonly wanted: readonly string[];
}

/** Counted failures in a row; times in milliseconds since the epoch. */
interface Streak {
  readonly class: string;
  readonly failures: number;
}

/** What can keep a server from being dialled. */
export interface ServerStanding {
  /** `deleted`: its address is gone as well. */
  readonly credential: 'none' | 'token' | 'oauth' | 'deleted';
  /** Set while it is disabled because it kept failing. */
  readonly autoDisabled: (Streak & { readonly failingSince: number }) | null;
  readonly connection: {
    readonly streak: (Streak & { readonly since: number }) | null;
    readonly waitUntil: number | null;
    readonly parked: { readonly reason: Extract<McpServersEvent, { type: 'McpServerParked' }>['data']['reason']; readonly at: number } | null;
  };
}

interface StoredServer extends Omit<ServerView, 'autoDisabled' | 'connection' | 'grant'> {
  readonly autoDisabled: number;
  readonly failures: number;
  readonly failingSince: number | null;
  readonly failureClass: string | null;
  readonly waitUntil: number | null;
  readonly parkedReason: NonNullable<ServerStanding['connection']['parked']>['reason'] | null;
  readonly parkedAt: number | null;
  readonly signer: string | null;
  readonly signedInAt: number | null;
  readonly issuer: string | null;
  readonly scopes: string | null;
  readonly renewable: number | null;
  readonly lapsed: string | null;
  readonly wanted: string | null;
}

/** All servers of a workspace in order of registration, removed ones too. */
export function serversOf(db: Database, workspace: string): readonly ServerView[] {
  return statement<[string], StoredServer>(
    db,
    `SELECT server_id AS serverId, name, kind, scheme, host, port, credential, state, registered_at AS registeredAt,
       registered_by AS registeredBy, changed_at AS changedAt, auto_disabled AS autoDisabled, failures, failing_since AS failingSince,
       failure_class AS failureClass, wait_until AS waitUntil, parked_reason AS parkedReason, parked_at AS parkedAt,
       signer, signed_in_at AS signedInAt, issuer, scopes, renewable, lapsed, wanted
     FROM servers WHERE workspace = ? ORDER BY registered_order`,
  )
    .all(workspace)
    .map(shaped);
}

function shaped({ autoDisabled, failures, failingSince, failureClass, waitUntil, parkedReason, parkedAt, signer, signedInAt, issuer, scopes, renewable, lapsed, wanted, ...server }: StoredServer): ServerView {
  const failing = failureClass === null || failingSince === null ? null : { class: failureClass, failures, since: failingSince };
  const off = autoDisabled === 1 && failing !== null;
  return {
    ...server,
    autoDisabled: off ? { class: failing.class, failures, failingSince: failing.since } : null,
    connection: {
      streak: off ? null : failing,
      waitUntil,
      parked: parkedReason === null || parkedAt === null ? null : { reason: parkedReason, at: parkedAt },
    },
    grant:
      signer === null || signedInAt === null || issuer === null
        ? null
        : { signer, since: signedInAt, issuer, scopes: listIn(scopes), renewable: renewable === 1, lapsed: inForce(lapsed, parkedReason), wanted: listIn(wanted) ?? [] },
  };
}

/** A good account that was too narrow is out of use only as long as its server is parked for it: a look that works ends that. */
function inForce(lapsed: string | null, parked: StoredServer['parkedReason']): string | null {
  return lapsed === 'insufficient_scope' && parked !== 'needs_reauthorization' ? null : lapsed;
}

function listIn(stored: string | null): readonly string[] | null {
  return stored === null ? null : (JSON.parse(stored) as string[]);
}
