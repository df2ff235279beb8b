import type { McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import type { ServerAddress } from '../../../mcp/client/serverUrl.js';
import type { OwnerServices } from '../../services.js';

/**
 * The names of servers that are registered with exactly this URL; only the vault knows more of it than the address.
 * @param servers those of one workspace
 */
export async function namesWithUrl({ secrets }: Pick<OwnerServices, 'secrets'>, servers: readonly McpServer[], url: string, { scheme, host, port }: ServerAddress): Promise<string[]> {
  const names = [];
  for (const server of servers) {
    if (server.scheme !== scheme || server.host !== host || server.port !== port) continue;
    if ((await secrets.get(server.serverId))?.url === url) names.push(server.name);
  }
  return names;
}
