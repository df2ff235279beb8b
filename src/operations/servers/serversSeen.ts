import type { ServerView } from '../../projections/mcpServers/queries.js';
import type { SeenStanding } from '../../tools/availability/outOfUse.js';
import type { ViewServices } from '../services.js';

/** A server as the views and the vault know it together. */
export type SeenServer = ServerView & SeenStanding;

/**
 * The servers of a workspace, and what of them is not in the vault: the keys may have been put back from another backup
 * than the ledger, and the ledger alone would show such a server as working.
 */
export async function serversSeen({ views, held }: Pick<ViewServices, 'views' | 'held'>, workspace: string): Promise<readonly SeenServer[]> {
  const servers = await views.query('mcpServers', { workspace });
  return Promise.all(servers.map(async (server) => ({ ...server, lost: server.state === 'removed' ? null : await lostOf(server, held) })));
}

async function lostOf({ serverId, credential, grant }: ServerView, held: ViewServices['held']): Promise<SeenStanding['lost']> {
  if (credential === 'deleted') return null;
  if (!(await held.hasSecret(serverId, 'url'))) return 'address';
  if (credential === 'token') return (await held.hasSecret(serverId, 'token')) ? null : 'token';
  const isInUse = credential === 'oauth' && grant?.lapsed === null;
  return isInUse && !(await held.hasSecret(serverId, 'grant')) ? 'tokens' : null;
}
