import type { McpClient, RemoteToolsOptions } from '../../mcp/client/remoteServers.js';

/**
 * The MCP client, loaded when a server is first needed: loading it takes longer than everything else a command does.
 */
export function lazyRemote(options: RemoteToolsOptions): McpClient {
  let loading: Promise<McpClient> | null = null;
  const client = (): Promise<McpClient> => (loading ??= import('../../mcp/client/remoteServers.js').then(({ makeRemoteTools }) => makeRemoteTools(options)));
  return {
    connect: async (server, signal) => (await client()).connect(server, signal),
    call: async (server, remoteName, args, limits) => (await client()).call(server, remoteName, args, limits),
    probe: async (target, signal) => (await client()).probe(target, signal),
    disconnect: async (serverId) => (await loading)?.disconnect(serverId),
    close: async () => (await loading)?.close(),
  };
}
