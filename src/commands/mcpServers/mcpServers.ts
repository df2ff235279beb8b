import { isDeepStrictEqual } from 'node:util';
import type { McpServersEvent } from '../../events/catalogue/mcpServers/mcpServers.js';
import { mcpServerKinds } from '../../events/catalogue/mcpServers/registration.js';
import { accepted, refused } from '../accepted.js';
import type { Decider, Decision } from '../decider.js';
import { judgeFailure, judgeSuccess, type ConnectionFailure } from './breaker.js';
import { isSameServerName, mcpServerNameOf } from './mcpServerName.js';
import { evolveMcpServers, serverById, type McpAudience, type McpDiscovery, type McpServer, type McpServersState } from './mcpServersState.js';

/** Registers a server. Name and kind are as somebody typed them; everything else was checked before. */
export interface RegisterMcpServer {
  readonly type: 'Register';
  /** New for each registration, UUIDv7. */
  readonly serverId: string;
  readonly name: string;
  readonly kind: string;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly credential: 'none' | 'token';
  /** Most servers a workspace may have, enabled and disabled together. */
  readonly limit: number;
}

/** What can be asked of the MCP servers of a workspace. What is already so is answered "unchanged". */
export type McpServersCommand =
  | RegisterMcpServer
  | { readonly type: 'Enable' | 'Disable' | 'Remove'; readonly serverId: string }
  /** What the server offers now. The first list ever found counts as accepted; later changes are for an admin. */
  | ({ readonly type: 'RecordTools'; readonly serverId: string } & McpDiscovery)
  /** `all`: every definition of the last discovery. */
  | { readonly type: 'AcceptDefinitions'; readonly serverId: string; readonly definitions: readonly string[] | 'all' }
  /** An attempt to connect and list ended; nothing is refused of it, at most it says nothing new. */
  | ({ readonly type: 'RecordFailure'; readonly serverId: string } & ConnectionFailure)
  | { readonly type: 'RecordSuccess' | 'RecordSessionExpired'; readonly serverId: string }
  /** `deleted`: the vault holds neither address nor credential any more. */
  | { readonly type: 'ReplaceCredential'; readonly serverId: string; readonly credential: McpServer['credential'] }
  /** By the server's own name of the tool; also for a tool it does not offer now. */
  | { readonly type: 'SetToolSwitch'; readonly serverId: string; readonly remoteName: string; readonly on: boolean }
  /** What is left out stays as it is. */
  | ({ readonly type: 'SetAudience'; readonly serverId: string } & Partial<McpAudience>);

/** Why a command about MCP servers is refused. */
export type McpServersRefusal =
  | { readonly code: 'invalid_name'; readonly given: string }
  | { readonly code: 'invalid_type'; readonly given: string; readonly allowed: readonly string[] }
  /** Another enabled server already stands in for the same built-in tool; disable it first. */
  | { readonly code: 'family_in_use'; readonly kind: string; readonly by: string; readonly byServerId: string }
  | { readonly code: 'limit_reached'; readonly limit: number }
  | { readonly code: 'duplicate_name'; readonly name: string; readonly byServerId: string }
  /** The id of a registration is used once, also after removal. */
  | { readonly code: 'duplicate_id'; readonly serverId: string }
  /** No enabled or disabled server has this id. */
  | { readonly code: 'not_found'; readonly serverId: string }
  /** Its tools were never discovered, so there is nothing to accept. */
  | { readonly code: 'tools_unknown'; readonly serverId: string }
  /** Only what the server offers now can be accepted. */
  | { readonly code: 'not_offered'; readonly definitions: readonly string[] };

type ServersDecision = Decision<McpServersEvent, McpServersRefusal>;

/** What is known of a server without an attempt to reach it: only somebody's act helps, and nothing of it counts. */
export function foundWaiting(serverId: string, reason: 'needs_sign_in' | 'needs_reauthorization', { revision }: { readonly revision: number | null }, now: number): McpServersCommand {
  return { type: 'RecordFailure', serverId, class: reason, revision: revision ?? -1, asked: true, retryAfterMs: null, now, baseMs: 0 };
}

/** The stream of a workspace's MCP servers. */
export function mcpServersStream(workspace: string): string {
  return `mcpServers-${workspace}`;
}

/** All MCP servers of a workspace; one stream, because name, number and family are decided over all of them. */
export const mcpServersDecider: Decider<McpServersCommand, McpServersState, McpServersEvent, McpServersRefusal> = {
  initialState: () => ({ servers: [], removed: new Map(), lastRecordedAt: 0 }),
  decide,
  evolve: evolveMcpServers,
};

function decide(command: McpServersCommand, state: McpServersState): ServersDecision {
  if (command.type === 'Register') return register(command, state);
  const { serverId } = command;
  const server = serverById(state, serverId);
  if (server === undefined) return refused({ code: 'not_found', serverId });
  switch (command.type) {
    case 'Enable':
      if (server.status === 'enabled') return accepted();
      return enable(server, state);
    case 'Disable':
      return server.status === 'disabled' ? accepted() : accepted({ type: 'McpServerDisabled', data: { serverId } });
    case 'Remove':
      return accepted({ type: 'McpServerRemoved', data: { serverId } });
    case 'RecordTools':
      return recordTools(server, { tools: command.tools, skipped: command.skipped, instructions: command.instructions });
    case 'AcceptDefinitions':
      return acceptDefinitions(server, command.definitions);
    case 'RecordFailure':
      return judgeFailure(server, command, state);
    case 'RecordSuccess':
      return judgeSuccess(server);
    case 'RecordSessionExpired':
      return accepted({ type: 'McpSessionExpired', data: { serverId } });
    case 'ReplaceCredential':
      return replaceCredential(server, command.credential);
    case 'SetToolSwitch': {
      const { remoteName, on } = command;
      return server.switchedOff.has(remoteName) === !on ? accepted() : accepted({ type: 'McpToolSwitchSet', data: { serverId, remoteName, on } });
    }
    case 'SetAudience':
      return setAudience(server, command);
  }
}

/** A registration of which nothing speaks against where it is yet. */
export type Registration = Pick<RegisterMcpServer, 'serverId' | 'name' | 'kind' | 'limit'>;

/**
 * What the ledger alone says against a registration, in the order in which it is looked at: name, type, family, number,
 * duplicates.
 * @returns the name and kind it is registered under, or why not
 */
export function judgeRegistration({ serverId, name: typed, kind: given, limit }: Registration, state: McpServersState): JudgedRegistration | McpServersRefusal {
  const name = mcpServerNameOf(typed);
  if (name === null) return { code: 'invalid_name', given: typed };
  const kind = mcpServerKinds.find((known) => known === given);
  if (kind === undefined) return { code: 'invalid_type', given, allowed: mcpServerKinds };
  const inUse = familyInUse(kind, state);
  if (inUse !== null) return inUse;
  if (state.servers.length >= limit) return { code: 'limit_reached', limit };
  const namesake = state.servers.find((server) => isSameServerName(server.name, name));
  if (namesake !== undefined) return { code: 'duplicate_name', name: namesake.name, byServerId: namesake.serverId };
  if (serverById(state, serverId) !== undefined || state.removed.has(serverId)) return { code: 'duplicate_id', serverId };
  return { name, kind };
}

type JudgedRegistration = Pick<McpServer, 'name' | 'kind'>;

function register(command: RegisterMcpServer, state: McpServersState): ServersDecision {
  const judged = judgeRegistration(command, state);
  if ('code' in judged) return refused(judged);
  const { serverId, scheme, host, port, credential } = command;
  return accepted({ type: 'McpServerRegistered', data: { serverId, ...judged, scheme, host, port, credential } });
}

function familyInUse(kind: McpServer['kind'], state: McpServersState): McpServersRefusal | null {
  if (kind === 'generic') return null;
  const by = state.servers.find((server) => server.kind === kind && server.status === 'enabled');
  return by === undefined ? null : { code: 'family_in_use', kind, by: by.name, byServerId: by.serverId };
}

/** Enabling is a new start, but no account and no token comes of it. */
function enable({ serverId, kind, connection: { parked } }: McpServer, state: McpServersState): ServersDecision {
  const inUse = familyInUse(kind, state);
  if (inUse !== null) return refused(inUse);
  const enabled = { type: 'McpServerEnabled', data: { serverId } } as const;
  if (parked === null || !waitsForAccount(parked.reason)) return accepted(enabled);
  return accepted<McpServersEvent>(enabled, { type: 'McpServerParked', data: { serverId, reason: parked.reason } });
}

function waitsForAccount(reason: NonNullable<McpServer['connection']['parked']>['reason']): boolean {
  return reason === 'needs_sign_in' || reason === 'needs_reauthorization';
}

function recordTools({ serverId, discovery }: McpServer, found: McpDiscovery): ServersDecision {
  if (discovery !== 'unknown' && isDeepStrictEqual(discovery, found)) return accepted();
  const discovered = { type: 'McpToolsDiscovered', data: { serverId, ...found } } as const;
  const definitions = distinct(found.tools.map((tool) => tool.definition));
  if (discovery !== 'unknown' || definitions.length === 0) return accepted(discovered);
  return accepted<McpServersEvent>(discovered, { type: 'McpToolDefinitionsAccepted', data: { serverId, definitions } });
}

function acceptDefinitions(server: McpServer, wanted: readonly string[] | 'all'): ServersDecision {
  if (server.discovery === 'unknown') return refused({ code: 'tools_unknown', serverId: server.serverId });
  const offered = distinct(server.discovery.tools.map((tool) => tool.definition));
  const chosen = wanted === 'all' ? offered : distinct(wanted);
  const unknown = chosen.filter((definition) => !offered.includes(definition));
  if (unknown.length > 0) return refused({ code: 'not_offered', definitions: unknown });
  const definitions = chosen.filter((definition) => !server.accepted.has(definition));
  if (definitions.length === 0) return accepted();
  return accepted({ type: 'McpToolDefinitionsAccepted', data: { serverId: server.serverId, definitions } });
}

/** An account that is there ends the wait for one; that one person only may use a server ends with the account it was for. */
function replaceCredential({ serverId, credential: before, audience, connection }: McpServer, credential: McpServer['credential']): ServersDecision {
  if (credential === 'deleted') return before === 'deleted' ? accepted() : accepted({ type: 'McpCredentialDeleted', data: { serverId } });
  const replaced = { type: 'McpCredentialReplaced', data: { serverId, credential } } as const;
  if (credential === 'oauth') {
    return connection.parked !== null && waitsForAccount(connection.parked.reason) ? accepted<McpServersEvent>(replaced, { type: 'McpServerUnparked', data: { serverId } }) : accepted(replaced);
  }
  if (audience.person === null) return accepted(replaced);
  return accepted<McpServersEvent>(replaced, { type: 'McpServerAudienceSet', data: { serverId, ...audience, person: null } });
}

function setAudience({ serverId, audience }: McpServer, { roles = audience.roles, channels = audience.channels, person = audience.person }: Partial<McpAudience>): ServersDecision {
  const wanted = { roles: roles && distinct(roles), channels: channels && distinct(channels), person };
  return isDeepStrictEqual(audience, wanted) ? accepted() : accepted({ type: 'McpServerAudienceSet', data: { serverId, ...wanted } });
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
