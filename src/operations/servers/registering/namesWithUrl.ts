import type { McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import type { OwnerServices } from '../../services.js';

/**
 * The names of servers that are registered with this URL; only the vault knows all of it.
 * @param servers those of one workspace
 */
export async function namesWithUrl({ secrets }: Pick<OwnerServices, 'secrets'>, servers: readonly McpServer[], url: string): Promise<string[]> {
  const names = [];
  for (const { serverId, name } of servers) {
    const stored = await secrets.get(serverId);
    if (stored !== null && comparable(stored.url) === comparable(url)) names.push(name);
  }
  return names;
}

/** The parser has levelled host and port; a slash at the end of the path leads most servers to the same place. */
function comparable(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, '')}${search}`;
}
