import type { CommandHandler, Origin } from '../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../commands/mcpServers/mcpServers.js';
import { serverById, type McpServer } from '../commands/mcpServers/mcpServersState.js';
import { toolDefinitionDecider, toolDefinitionStream } from '../commands/toolDefinition.js';
import { isSameListing } from './sameListing.js';
import type { ToolListing } from './remoteTools.js';

/**
 * Records what a server offers when that is not what was recorded last: first the texts of definitions, then the
 * list that names them, so that a recorded list never points at a text that is missing.
 * @returns the server as it is on record then; undefined when it is registered no more
 * @throws EventStoreError when the ledger cannot take it
 */
export async function recordListing(
  handler: CommandHandler,
  listing: ToolListing,
  serverId: string,
  origin: Origin,
): Promise<McpServer | undefined> {
  const stream = mcpServersStream(origin.workspace);
  const { state } = await handler.load(mcpServersDecider, stream);
  const server = serverById(state, serverId);
  if (server === undefined || isSameListing(server.discovery, listing)) return server;
  const known = new Set(server.discovery === 'unknown' ? [] : server.discovery.tools.map((tool) => tool.definition));
  for (const { hash, definition } of listing.tools) {
    if (known.has(hash)) continue;
    await handler.execute(toolDefinitionDecider, toolDefinitionStream(hash), [{ type: 'Record', hash, definition }], origin);
  }
  const tools = listing.tools.map(({ name, remoteName, hash }) => ({ name, remoteName, definition: hash }));
  const recorded = await handler.execute(mcpServersDecider, stream, [{ type: 'RecordTools', serverId, tools, skipped: [...listing.skipped], instructions: listing.instructions }], origin);
  return serverById(recorded.state, serverId);
}
