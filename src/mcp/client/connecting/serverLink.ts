import type { ToolListing } from '../../../tools/remoteTools.js';
import { openConnection, type Connection, type ConnectionOptions } from './connection.js';
import type { TransportKind } from './transport/wire.js';
import { listTools } from '../listing/listTools.js';
import { Relisting } from '../listing/relisting.js';
import type { ServerTarget } from './account.js';
import { secretsOf } from './secretsOf.js';
import type { Schedule } from '../../../platform/time/schedule.js';

/** A connection together with what was listed on it. */
export interface ServerLink {
  readonly connection: Connection;
  readonly target: ServerTarget;
  readonly transport: TransportKind;
  listing: ToolListing;
  readonly relisting: Relisting;
}

/**
 * Connects and lists: only both together are a working server.
 * @throws what `openConnection` and `listTools` throw; nothing stays open then
 */
export async function openLink(options: Omit<ConnectionOptions, 'onToolsChanged'> & { readonly schedule: Schedule }, signal: AbortSignal): Promise<ServerLink> {
  const relisting = new Relisting(options.schedule);
  const connection = await openConnection({ ...options, onToolsChanged: () => relisting.changed() }, signal);
  try {
    const listing = await listTools(connection, options.limits, signal, () => secretsOf(options.target));
    return { connection, target: options.target, transport: options.transport, listing, relisting };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Lists again after the server said that its tools changed; a change during the listing is for the next one. */
export async function relist(link: ServerLink, options: Pick<ConnectionOptions, 'limits'>, signal: AbortSignal): Promise<void> {
  link.relisting.begin();
  link.listing = await listTools(link.connection, options.limits, signal, () => secretsOf(link.target));
}
