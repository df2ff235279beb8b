import { requireStandardFetch } from '../../../platform/net/standardFetch.js';
import type { McpClient, RemoteToolsOptions } from '../../../mcp/client/remoteServers.js';

/**
 * The MCP client, loaded when a server is first needed: loading it takes longer than everything else a command does.
 */
export function lazyRemote(options: RemoteToolsOptions): McpClient {
  let loading: Promise<McpClient> | null = null;
  const client = (): Promise<McpClient> => (loading ??= load(options));
  return {
    connect: async (server, signal) => (await client()).connect(server, signal),
    call: async (server, remoteName, args, limits) => (await client()).call(server, remoteName, args, limits),
    probe: async (target, signal) => (await client()).probe(target, signal),
    disconnect: async (serverId) => (await loading?.catch(() => null))?.disconnect(serverId),
    close: async () => (await loading?.catch(() => null))?.close(),
  };
}

/** @throws Fault `fetch_replaced` */
async function load(options: RemoteToolsOptions): Promise<McpClient> {
  await requireStandardFetch(fetch);
  const { makeRemoteTools } = await import('../../../mcp/client/remoteServers.js');
  return makeRemoteTools(options);
}
