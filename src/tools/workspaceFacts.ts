import type { CommandHandler, Folded } from '../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../commands/mcpServers/mcpServers.js';
import { mcpSignInDecider, mcpSignInStream } from '../commands/mcpSignIn/mcpSignIn.js';
import { accountReach, type AccountReach } from '../commands/mcpSignIn/narrowAccount.js';
import type { McpServer } from '../commands/mcpServers/mcpServersState.js';
import { toolSettingsDecider, toolSettingsStream } from '../commands/toolSettings.js';
import { workspaceDecider, workspaceStream } from '../commands/workspace.js';
import type { ServerView } from '../projections/mcpServers/queries.js';
import type { RegistryView } from '../projections/toolRegistry/queries.js';
import type { ServerFacts, WorkspaceFacts } from './availability/facts.js';
import { outOfUse, type SeenStanding } from './availability/outOfUse.js';

/**
 * Reads the facts that decide in a workspace from its streams. A stream that cannot be read is marked as unverified
 * and takes nothing else with it. Never throws.
 * @param now milliseconds since the epoch; a clock that lags behind the ledger counts as the ledger's
 */
export async function loadWorkspaceFacts(handler: Pick<CommandHandler, 'load'>, workspace: string, now: number): Promise<WorkspaceFacts> {
  const [opened, settings, servers] = await Promise.all([
    readable(handler.load(workspaceDecider, workspaceStream(workspace))),
    readable(handler.load(toolSettingsDecider, toolSettingsStream(workspace))),
    readable(handler.load(mcpServersDecider, mcpServersStream(workspace))),
  ]);
  const accounts = await narrowAccounts(handler, servers?.state.servers ?? []);
  return {
    workspace,
    state: opened?.state.status ?? 'unverified',
    switches: settings?.state.switches ?? null,
    policy: settings?.state.policy ?? null,
    servers: servers?.state.servers.map((server) => serverFacts(server, accounts.get(server.serverId) ?? null, Math.max(now, servers.state.lastRecordedAt))) ?? null,
    basis: { workspace: opened?.revision ?? null, settings: settings?.revision ?? null, servers: servers?.revision ?? null },
  };
}

/** The same facts as the views know them: for display only, they may be behind. */
export function factsFromViews(view: RegistryView, servers: readonly (ServerView & SeenStanding)[], now: number): WorkspaceFacts {
  const standings = new Map(servers.map((server) => [server.serverId, server]));
  const outAt = (serverId: string) => {
    const standing = standings.get(serverId);
    return standing === undefined ? null : outOfUse(standing, standing.state === 'enabled', now);
  };
  return {
    workspace: view.workspace,
    state: view.state,
    switches: new Map(view.switches),
    policy: view.policy,
    servers: view.servers.map(({ serverId, name, kind, enabled, tools, switchedOff, audience }) => ({
      serverId,
      name,
      kind,
      enabled,
      tools,
      outOfUse: outAt(serverId),
      switchedOff: new Set(switchedOff),
      audience,
      accepted: new Set((tools ?? []).filter((tool) => tool.accepted).map((tool) => tool.definition)),
    })),
    basis: { workspace: null, settings: null, servers: null },
  };
}

/** The accounts of servers that wait for another one, so that it can be said what is wrong; one that cannot be read is not spoken of. */
async function narrowAccounts(handler: Pick<CommandHandler, 'load'>, servers: readonly McpServer[]): Promise<ReadonlyMap<string, AccountReach | null>> {
  const waiting = servers.filter(({ connection }) => connection.parked?.reason === 'needs_reauthorization');
  return new Map(
    await Promise.all(
      waiting.map(async ({ serverId }) => {
        const folded = await readable(handler.load(mcpSignInDecider, mcpSignInStream(serverId)));
        return [serverId, folded && accountReach(folded.state)] as const;
      }),
    ),
  );
}

function serverFacts(server: McpServer, grant: AccountReach | null, now: number): ServerFacts {
  const { serverId, name, kind, status, discovery, accepted, switchedOff, audience } = server;
  const tools = discovery === 'unknown' ? null : discovery.tools;
  const enabled = status === 'enabled';
  return { serverId, name, kind, enabled, tools, accepted, outOfUse: outOfUse({ ...server, grant }, enabled, now), switchedOff, audience };
}

async function readable<State>(folded: Promise<Folded<State>>): Promise<Folded<State> | null> {
  try {
    return await folded;
  } catch {
    return null;
  }
}
