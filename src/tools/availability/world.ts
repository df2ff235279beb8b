import type { DefinitionPolicy } from '../../commands/toolSettings.js';
import type { BuiltInFacts, BuiltIns } from './builtIns.js';
import type { Asker, ServerFacts, WorkspaceFacts } from './facts.js';

/** Servers of these types stand in for exactly one built-in tool. */
const standIns = new Map([
  ['url_fetcher', 'fetch_url'],
  ['web_search', 'web_search'],
]);

/** Servers of this type are called by the product itself and never offered to models. */
export const internalKind = 'prose_linter';

/** Facts and program together, with what layers look up often worked out once. */
export interface World {
  readonly facts: WorkspaceFacts;
  readonly policy: DefinitionPolicy;
  readonly asker: Asker;
  readonly builtIn: (name: string) => BuiltInFacts | undefined;
  readonly reserves: (name: string) => boolean;
  readonly server: (serverId: string) => ServerFacts | undefined;
  /** The enabled servers of which models would see a tool under this name that is not switched off. */
  readonly offering: (name: string) => readonly ServerFacts[];
  /** How many enabled servers are registered for this type. */
  readonly enabledOfKind: (kind: string) => number;
}

/** Somebody of whom nothing is known: what is open to some only is closed to them. */
export const anybody: Asker = { subject: null, channel: null, roles: [] };

/** Puts together what the layers judge from. @param deployment the rule where the workspace has none of its own */
export function makeWorld(facts: WorkspaceFacts, builtIns: BuiltIns, deployment: DefinitionPolicy, asker: Asker): World {
  const servers = facts.servers ?? [];
  const enabled = servers.filter((server) => server.enabled);
  const offering = serversByTool(enabled.filter((server) => server.kind !== internalKind));
  const byId = new Map(servers.map((server) => [server.serverId, server]));
  return {
    facts,
    policy: facts.policy ?? deployment,
    asker,
    builtIn: (name) => builtIns.find(name),
    reserves: (name) => builtIns.reserves(name),
    server: (serverId) => byId.get(serverId),
    offering: (name) => offering.get(name) ?? [],
    enabledOfKind: (kind) => enabled.filter((server) => server.kind === kind).length,
  };
}

/** The built-in tool that servers of this type stand in for, or null. */
export function standsInFor(kind: string): string | null {
  return standIns.get(kind) ?? null;
}

/** The type of server that can stand in for this built-in tool, or null. */
export function standInKind(tool: string): string | null {
  for (const [kind, name] of standIns) if (name === tool) return kind;
  return null;
}

function serversByTool(servers: readonly ServerFacts[]): ReadonlyMap<string, readonly ServerFacts[]> {
  const byTool = new Map<string, ServerFacts[]>();
  for (const server of servers) {
    for (const { name, remoteName } of server.tools ?? []) {
      if (server.switchedOff.has(remoteName)) continue;
      const known = byTool.get(name);
      if (known === undefined) byTool.set(name, [server]);
      else known.push(server);
    }
  }
  return byTool;
}
