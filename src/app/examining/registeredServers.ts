import { serversSeen, type SeenServer } from '../../operations/servers/serversSeen.js';
import type { ViewServices } from '../../operations/services.js';

/** The servers of all workspaces that were not removed. */
export async function registeredServers(services: ViewServices): Promise<readonly (SeenServer & { readonly workspace: string })[]> {
  const workspaces = await services.views.query('workspaces', {});
  const servers = await Promise.all(workspaces.map(async ({ workspace }) => (await serversSeen(services, workspace)).map((server) => ({ ...server, workspace }))));
  return servers.flat().filter(({ state }) => state !== 'removed');
}
