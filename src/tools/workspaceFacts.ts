import type { CommandHandler, Folded } from '../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../commands/mcpServers/mcpServers.js';
import type { McpServer } from '../commands/mcpServers/mcpServersState.js';
import { toolSettingsDecider, toolSettingsStream } from '../commands/toolSettings.js';
import { workspaceDecider, workspaceStream } from '../commands/workspace.js';
import type { RegistryView } from '../projections/toolRegistry/queries.js';
import type { ServerFacts, WorkspaceFacts } from './availability/facts.js';

/**
 * Reads the facts that decide in a workspace from its streams. A stream that cannot be read is marked as unverified
 * and takes nothing else with it. Never throws.
 */
export async function loadWorkspaceFacts(handler: Pick<CommandHandler, 'load'>, workspace: string): Promise<WorkspaceFacts> {
  const [opened, settings, servers] = await Promise.all([
    readable(handler.load(workspaceDecider, workspaceStream(workspace))),
    readable(handler.load(toolSettingsDecider, toolSettingsStream(workspace))),
    readable(handler.load(mcpServersDecider, mcpServersStream(workspace))),
  ]);
  return {
    workspace,
    state: opened?.state.status ?? 'unverified',
    switches: settings?.state.switches ?? null,
    policy: settings?.state.policy ?? null,
    servers: servers?.state.servers.map(serverFacts) ?? null,
    basis: { workspace: opened?.revision ?? null, settings: settings?.revision ?? null, servers: servers?.revision ?? null },
  };
}

/** The same facts as the registry view knows them: for display only, they may be behind. */
export function factsFromRegistryView(view: RegistryView): WorkspaceFacts {
  return {
    workspace: view.workspace,
    state: view.state,
    switches: new Map(view.switches),
    policy: view.policy,
    servers: view.servers.map(({ serverId, name, kind, enabled, tools }) => ({
      serverId,
      name,
      kind,
      enabled,
      tools,
      accepted: new Set((tools ?? []).filter((tool) => tool.accepted).map((tool) => tool.definition)),
    })),
    basis: { workspace: null, settings: null, servers: null },
  };
}

function serverFacts({ serverId, name, kind, status, discovery, accepted }: McpServer): ServerFacts {
  return { serverId, name, kind, enabled: status === 'enabled', tools: discovery === 'unknown' ? null : discovery.tools, accepted };
}

async function readable<State>(folded: Promise<Folded<State>>): Promise<Folded<State> | null> {
  try {
    return await folded;
  } catch {
    return null;
  }
}
