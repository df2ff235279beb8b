import { systemResolve } from '../../src/platform/net/guardedLookup.js';
import { defaultClientLimits, type ClientLimits } from '../../src/mcp/client/limits.js';
import { makeRemoteTools, type McpClient, type RemoteToolsOptions } from '../../src/mcp/client/remoteServers.js';
import type { RemoteServer } from '../../src/tools/remoteTools.js';

/** A server of the local workspace, as dispatch names it. */
export const someServer: RemoteServer = { workspace: 'local', serverId: '0199aaaa-0000-7000-8000-000000000001', name: 'some' };

/** Options of a call that may take its time. */
export const patient = { timeoutMs: 30_000, signal: new AbortController().signal };

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** The real client, with one server's address and no timers but its own deadlines. */
export function clientFor(url: string, options: Partial<RemoteToolsOptions> & { readonly token?: string; readonly tight?: Partial<ClientLimits> } = {}): McpClient {
  const { token = null, tight = {}, ...rest } = options;
  return makeRemoteTools({
    lookup: async () => ({ url, token }),
    resolve: systemResolve,
    reach: { localOrigins: new Set(), ownPorts: new Set() },
    clock: { now: () => 0 },
    schedule: () => () => undefined,
    limits: { ...defaultClientLimits, ...tight },
    version: '0.0.0-test',
    ...rest,
  });
}
