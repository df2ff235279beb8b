import type { McpServersEvent } from '../../events/catalogue/mcpServers.js';

type Data<Type extends McpServersEvent['type']> = Extract<McpServersEvent, { type: Type }>['data'];

/** What a server was last found to offer. */
export type McpDiscovery = Pick<Data<'McpToolsDiscovered'>, 'tools' | 'skipped'>;

/** A registered server. */
export interface McpServer extends Data<'McpServerRegistered'> {
  readonly status: 'enabled' | 'disabled' | 'removed';
  /** `unknown`: never discovered, which is not the same as discovered and empty. */
  readonly discovery: McpDiscovery | 'unknown';
  /** Hashes of the definitions that were accepted. */
  readonly accepted: ReadonlySet<string>;
}

/** The servers of a workspace. */
export interface McpServersState {
  /** Enabled and disabled ones, in order of registration. */
  readonly servers: readonly McpServer[];
  /** Removed ones by id; their names are free again. */
  readonly removed: ReadonlyMap<string, McpServer>;
}

/** A server that is enabled or disabled, by id. */
export function serverById(state: McpServersState, serverId: string): McpServer | undefined {
  return state.servers.find((server) => server.serverId === serverId);
}

/** Folds one event into the servers of a workspace. A registered server starts enabled. */
export function evolveMcpServers(state: McpServersState, event: McpServersEvent): McpServersState {
  switch (event.type) {
    case 'McpServerRegistered': {
      const server: McpServer = { ...event.data, status: 'enabled', discovery: 'unknown', accepted: new Set() };
      return { ...state, servers: [...state.servers, server] };
    }
    case 'McpServerEnabled':
      return change(state, event.data.serverId, () => ({ status: 'enabled' }));
    case 'McpServerDisabled':
      return change(state, event.data.serverId, () => ({ status: 'disabled' }));
    case 'McpToolsDiscovered': {
      const { serverId, tools, skipped } = event.data;
      return change(state, serverId, () => ({ discovery: { tools, skipped } }));
    }
    case 'McpToolDefinitionsAccepted': {
      const { serverId, definitions } = event.data;
      return change(state, serverId, (server) => ({ accepted: new Set([...server.accepted, ...definitions]) }));
    }
    case 'McpServerRemoved':
      return remove(state, event.data.serverId);
  }
}

function change(state: McpServersState, serverId: string, what: (server: McpServer) => Partial<McpServer>): McpServersState {
  const servers = state.servers.map((server) => (server.serverId === serverId ? { ...server, ...what(server) } : server));
  return { ...state, servers };
}

function remove(state: McpServersState, serverId: string): McpServersState {
  const server = serverById(state, serverId);
  if (server === undefined) return state;
  return {
    servers: state.servers.filter((other) => other !== server),
    removed: new Map(state.removed).set(serverId, { ...server, status: 'removed' }),
  };
}
