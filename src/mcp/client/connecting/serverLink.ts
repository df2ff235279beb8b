import type { ToolListing } from '../../../tools/remoteTools.js';
import { openConnection, type Connection, type ConnectionOptions } from './connection.js';
import { listTools } from '../listing/listTools.js';
import { Relisting } from '../listing/relisting.js';
import { urlSecrets } from '../urlSecrets.js';
import type { Schedule } from '../../../platform/schedule.js';

/** A connection together with what was listed on it. */
export interface ServerLink {
  readonly connection: Connection;
  readonly token: string | null;
  /** Everything secret that is in use for the server. */
  readonly secrets: readonly string[];
  listing: ToolListing;
  readonly relisting: Relisting;
}

/**
 * Connects and lists: only both together are a working server.
 * @throws what `openConnection` and `listTools` throw; nothing stays open then
 */
export async function openLink(options: Omit<ConnectionOptions, 'onToolsChanged'> & { readonly schedule: Schedule }, signal: AbortSignal): Promise<ServerLink> {
  const relisting = new Relisting(options.schedule);
  const secrets = [...(options.token === null ? [] : [options.token]), ...urlSecrets(options.url)];
  const connection = await openConnection({ ...options, onToolsChanged: () => relisting.changed() }, signal);
  try {
    const listing = await listTools(connection, options.limits, signal, secrets);
    return { connection, token: options.token, secrets, listing, relisting };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Lists again after the server said that its tools changed; a change during the listing is for the next one. */
export async function relist(link: ServerLink, options: Pick<ConnectionOptions, 'limits'>, signal: AbortSignal): Promise<void> {
  link.relisting.begin();
  link.listing = await listTools(link.connection, options.limits, signal, link.secrets);
}
