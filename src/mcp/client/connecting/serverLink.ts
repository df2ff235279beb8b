import type { ToolListing } from '../../../tools/remoteTools.js';
import { openConnection, type Connection, type ConnectionOptions } from './connection.js';
import type { TransportKind } from './transport/wire.js';
import { listTools } from '../listing/listTools.js';

/** A connection together with what was listed on it. */
export interface ServerLink {
  readonly connection: Connection;
  readonly token: string | null;
  readonly transport: TransportKind;
  listing: ToolListing;
  /** The server said since then that the listing no longer holds. */
  stale: boolean;
}

/**
 * Connects and lists: only both together are a working server.
 * @throws what `openConnection` and `listTools` throw; nothing stays open then
 */
export async function openLink(options: Omit<ConnectionOptions, 'onToolsChanged'>, signal: AbortSignal): Promise<ServerLink> {
  let changed = false;
  let link: ServerLink | null = null;
  const connection = await openConnection(
    {
      ...options,
      onToolsChanged: () => {
        changed = true;
        if (link !== null) link.stale = true;
      },
    },
    signal,
  );
  try {
    const listing = await listTools(connection, options.limits, signal);
    link = { connection, token: options.token, transport: options.transport, listing, stale: changed };
    return link;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Lists again after the server said that its tools changed; a change during the listing leaves it stale. */
export async function relist(link: ServerLink, options: Pick<ConnectionOptions, 'limits'>, signal: AbortSignal): Promise<void> {
  link.stale = false;
  link.listing = await listTools(link.connection, options.limits, signal);
}
