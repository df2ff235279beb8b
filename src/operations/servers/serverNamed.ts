import { isSameServerName } from '../../commands/mcpServers/mcpServerName.js';
import { mcpServersDecider, mcpServersStream } from '../../commands/mcpServers/mcpServers.js';
import type { McpServer } from '../../commands/mcpServers/mcpServersState.js';
import { refusedFault } from '../refusedFault.js';
import type { OwnerServices } from '../services.js';

/**
 * The registered server of this name, enabled or not.
 * @throws Fault `not_found`
 */
export async function serverNamed({ handler }: Pick<OwnerServices, 'handler'>, workspace: string, name: string): Promise<McpServer> {
  const { state } = await handler.load(mcpServersDecider, mcpServersStream(workspace));
  const server = state.servers.find((registered) => isSameServerName(registered.name, name));
  if (server === undefined) throw refusedFault({ code: 'not_found' }, { workspace, name });
  return server;
}
