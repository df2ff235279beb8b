import type { McpServersEvent } from '../../events/catalogue/mcpServers/mcpServers.js';
import type { EventPlace } from '../decider.js';

type Data<Type extends McpServersEvent['type']> = Extract<McpServersEvent, { type: Type }>['data'];

/** What a server was last found to offer. */
export type McpDiscovery = Pick<Data<'McpToolsDiscovered'>, 'tools' | 'skipped' | 'instructions'>;

/** The counted failures since the last success, or since an admin enabled or disabled the server. */
export interface FailureStreak {
  readonly failures: number;
  /** When the first was recorded, in milliseconds since the epoch. */
  readonly since: number;
  /** Class of the last one. */
  readonly class: string;
}

/** How the connection to a server stands, as the ledger knows it. */
export interface ConnectionStanding {
  readonly streak: FailureStreak | null;
  /** Not dialled before this moment; null when nothing says to wait. */
  readonly waitUntil: number | null;
  /** Not dialled until somebody acts, but for one look a day. */
  readonly parked: { readonly reason: Data<'McpServerParked'>['reason']; readonly at: number } | null;
  /** Revision of the last event that judged the connection: an attempt that began before it says nothing new. */
  readonly judgedAt: number;
}

/** Who may use a server's tools; null means everyone, everywhere, or no one person. */
export type McpAudience = Omit<Data<'McpServerAudienceSet'>, 'serverId'>;

/** A registered server. */
export interface McpServer extends Omit<Data<'McpServerRegistered'>, 'credential'> {
  /** `deleted`: its address is gone from the vault as well. */
  readonly credential: 'none' | 'token' | 'oauth' | 'deleted';
  readonly status: 'enabled' | 'disabled' | 'removed';
  /** Set while it is disabled because it kept failing. */
  readonly autoDisabled: Omit<Data<'McpServerAutoDisabled'>, 'serverId'> | null;
  readonly connection: ConnectionStanding;
  /** `unknown`: never discovered, which is not the same as discovered and empty. */
  readonly discovery: McpDiscovery | 'unknown';
  /** Hashes of the definitions that were accepted. */
  readonly accepted: ReadonlySet<string>;
  /** The server's own names of tools an admin switched off. */
  readonly switchedOff: ReadonlySet<string>;
  readonly audience: McpAudience;
}

/** The servers of a workspace. */
export interface McpServersState {
  /** Enabled and disabled ones, in order of registration. */
  readonly servers: readonly McpServer[];
  /** Removed ones by id; their names are free again. */
  readonly removed: ReadonlyMap<string, McpServer>;
  /** When the last event was recorded: no clock that is read later may say less. */
  readonly lastRecordedAt: number;
}

/** A server that is enabled or disabled, by id. */
export function serverById(state: McpServersState, serverId: string): McpServer | undefined {
  return state.servers.find((server) => server.serverId === serverId);
}

/** Folds one event into the servers of a workspace. A registered server starts enabled. */
export function evolveMcpServers(before: McpServersState, event: McpServersEvent, at: EventPlace): McpServersState {
  const state = { ...before, lastRecordedAt: Math.max(before.lastRecordedAt, at.recordedAt) };
  if (event.type === 'McpServerRegistered') return { ...state, servers: [...state.servers, registered(event.data, at)] };
  const { serverId } = event.data;
  if (event.type === 'McpServerRemoved') return remove(state, serverId);
  const servers = state.servers.map((server) => (server.serverId === serverId ? { ...server, ...changeOf(server, event, at) } : server));
  return { ...state, servers };
}

function registered(data: Data<'McpServerRegistered'>, at: EventPlace): McpServer {
  return {
    ...data,
    status: 'enabled',
    autoDisabled: null,
    connection: nothingAgainst(at),
    discovery: 'unknown',
    accepted: new Set(),
    switchedOff: new Set(),
    audience: { roles: null, channels: null, person: null },
  };
}

type ServerEvent = Exclude<McpServersEvent, { type: 'McpServerRegistered' | 'McpServerRemoved' }>;

function changeOf(server: McpServer, event: ServerEvent, at: EventPlace): Partial<McpServer> {
  switch (event.type) {
    case 'McpServerEnabled':
      return { status: 'enabled', autoDisabled: null, connection: nothingAgainst(at) };
    case 'McpServerDisabled':
      return { status: 'disabled', autoDisabled: null, connection: outOfService(server, at) };
    case 'McpServerAutoDisabled': {
      const { class: what, failures, failingSince } = event.data;
      return { status: 'disabled', autoDisabled: { class: what, failures, failingSince }, connection: outOfService(server, at) };
    }
    case 'McpCredentialReplaced':
      return { credential: event.data.credential, connection: { ...server.connection, judgedAt: at.revision } };
    case 'McpCredentialDeleted':
      return { credential: 'deleted' };
    case 'McpToolsDiscovered':
      return { discovery: discoveryIn(event.data) };
    case 'McpToolDefinitionsAccepted':
      return { accepted: new Set([...server.accepted, ...event.data.definitions]) };
    case 'McpToolSwitchSet':
      return { switchedOff: switched(server.switchedOff, event.data) };
    case 'McpServerAudienceSet':
      return { audience: { roles: event.data.roles, channels: event.data.channels, person: event.data.person } };
    case 'McpSessionExpired':
      return {};
    case 'McpConnectionFailed':
    case 'McpConnectionRecovered':
    case 'McpServerParked':
    case 'McpServerUnparked':
      return { connection: { ...judged(server.connection, event, at), judgedAt: at.revision } };
  }
}

type JudgingEvent = Extract<McpServersEvent, { type: 'McpConnectionFailed' | 'McpConnectionRecovered' | 'McpServerParked' | 'McpServerUnparked' }>;

function discoveryIn({ tools, skipped, instructions }: Data<'McpToolsDiscovered'>): McpDiscovery {
  return { tools, skipped, instructions };
}

function judged(before: ConnectionStanding, event: JudgingEvent, { recordedAt }: EventPlace): Omit<ConnectionStanding, 'judgedAt'> {
  switch (event.type) {
    case 'McpConnectionFailed': {
      const { counted, streak: failures, cooldownMs, class: what } = event.data;
      const streak = counted ? { failures, since: before.streak?.since ?? recordedAt, class: what } : before.streak;
      return { ...before, streak, waitUntil: cooldownMs === 0 ? before.waitUntil : recordedAt + cooldownMs };
    }
    case 'McpConnectionRecovered':
      return { ...before, streak: null, waitUntil: null };
    case 'McpServerParked':
      return { ...before, parked: { reason: event.data.reason, at: recordedAt } };
    case 'McpServerUnparked':
      return { ...before, parked: null };
  }
}

function nothingAgainst({ revision }: EventPlace): ConnectionStanding {
  return { streak: null, waitUntil: null, parked: null, judgedAt: revision };
}

/** Disabling changes nothing about what it waits for. */
function outOfService({ connection: { parked } }: McpServer, at: EventPlace): ConnectionStanding {
  return { ...nothingAgainst(at), parked };
}

function switched(off: ReadonlySet<string>, { remoteName, on }: Data<'McpToolSwitchSet'>): ReadonlySet<string> {
  const now = new Set(off);
  if (on) now.delete(remoteName);
  else now.add(remoteName);
  return now;
}

function remove(state: McpServersState, serverId: string): McpServersState {
  const server = serverById(state, serverId);
  if (server === undefined) return state;
  return {
    ...state,
    servers: state.servers.filter((other) => other !== server),
    removed: new Map(state.removed).set(serverId, { ...server, status: 'removed' }),
  };
}
