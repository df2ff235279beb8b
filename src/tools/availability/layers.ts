import type { ToolSubject } from './facts.js';
import type { ReasonCode } from './reasons.js';
import { internalKind, standInKind, standsInFor, type World } from './world.js';

/** One question about a tool: null when nothing speaks against it. New questions are new layers. */
export type Layer = (subject: ToolSubject, world: World) => ReasonCode | null;

/** Is there such a tool at all? */
const registered: Layer = (subject, world) => {
  if (subject.kind === 'builtin') return world.builtIn(subject.name) === undefined ? 'unknown_tool' : null;
  if (world.facts.servers === null) return null;
  return world.server(subject.serverId) === undefined ? 'server_removed' : null;
};

const workspaceOpen: Layer = (_subject, { facts }) => (facts.state === 'open' ? null : `workspace_${facts.state}`);

const switchedOn: Layer = (subject, { facts, builtIn }) => {
  if (facts.switches === null) return 'switches_unverified';
  const byDefault = subject.kind === 'mcp' || (builtIn(subject.name)?.onByDefault ?? false);
  return (facts.switches.get(subject.name) ?? byDefault) ? null : 'switched_off';
};

/** Without a fresh look at the registrations, whatever a server provides or may have taken over is not used. */
const registrationVerified: Layer = (subject, { facts }) => {
  const depends = subject.kind === 'mcp' || standInKind(subject.name) !== null;
  return depends && facts.servers === null ? 'registration_unverified' : null;
};

const serverEnabled: Layer = (subject, world) => {
  if (subject.kind === 'builtin') return null;
  const server = world.server(subject.serverId);
  return server?.enabled === false && server.outOfUse === null ? 'server_disabled' : null;
};

/** Does anything say that the server is not to be dialled now? */
const serverInUse: Layer = (subject, world) => (subject.kind === 'builtin' ? null : (world.server(subject.serverId)?.outOfUse?.reason ?? null));

/** Did an admin switch this tool of this server off? */
const notSwitchedOffThere: Layer = (subject, world) =>
  subject.kind === 'mcp' && world.server(subject.serverId)?.switchedOff.has(subject.remoteName) === true ? 'server_tool_switched_off' : null;

/** Is the one who asks among those the server is for? */
const inAudience: Layer = (subject, { asker, server }) => {
  if (subject.kind === 'builtin') return null;
  const audience = server(subject.serverId)?.audience;
  if (audience === undefined) return null;
  const roleFits = audience.roles === null || audience.roles.some((role) => asker.roles.includes(role));
  const channelFits = audience.channels === null || (asker.channel !== null && audience.channels.includes(asker.channel));
  const personFits = audience.person === null || audience.person === asker.subject;
  return roleFits && channelFits && personFits ? null : 'not_in_audience';
};

/** Does the server still offer this tool with this definition? */
const offered: Layer = (subject, world) => {
  if (subject.kind === 'builtin') return null;
  const server = world.server(subject.serverId);
  if (server === undefined) return null;
  if (server.tools === null) return 'tools_unknown';
  const tool = server.tools.find((known) => known.name === subject.name && known.remoteName === subject.remoteName);
  if (tool === undefined) return 'tool_not_offered';
  return tool.definition === subject.definition ? null : 'definition_changed';
};

const forModels: Layer = (subject, world) =>
  subject.kind === 'mcp' && world.server(subject.serverId)?.kind === internalKind ? 'not_for_models' : null;

/** A family of servers is used only while exactly one of it is enabled. */
const oneOfFamily: Layer = (subject, world) => {
  if (subject.kind === 'builtin') return null;
  const kind = world.server(subject.serverId)?.kind;
  if (kind === undefined || standsInFor(kind) === null) return null;
  return world.enabledOfKind(kind) > 1 ? 'family_conflict' : null;
};

/** A registered stand-in replaces the built-in tool even while it is down: there is no silent switch back. */
const replaced: Layer = (subject, world) => {
  if (subject.kind === 'mcp') return null;
  const kind = standInKind(subject.name);
  return kind !== null && world.enabledOfKind(kind) > 0 ? 'replaced_by_server' : null;
};

/**
 * Names and aliases of built-in tools are theirs, also while they are switched off. The server's own name counts too:
 * people see it, and in the alias that models see a look-alike is only an underscore.
 */
const nameFree: Layer = (subject, world) => {
  if (subject.kind === 'builtin' || !(world.reserves(subject.name) || world.reserves(subject.remoteName))) return null;
  const kind = world.server(subject.serverId)?.kind;
  return kind !== undefined && standsInFor(kind) === subject.remoteName ? null : 'reserved_name';
};

const nameUnique: Layer = (subject, world) => (subject.kind === 'mcp' && world.offering(subject.name).length > 1 ? 'name_collision' : null);

const definitionAccepted: Layer = (subject, world) => {
  if (subject.kind === 'builtin' || world.policy === 'warn') return null;
  const server = world.server(subject.serverId);
  return server === undefined || server.accepted.has(subject.definition) ? null : 'definition_held';
};

/** All layers, in the order in which their reasons are told. */
export const availabilityLayers: readonly Layer[] = [
  registered,
  workspaceOpen,
  switchedOn,
  registrationVerified,
  serverEnabled,
  serverInUse,
  notSwitchedOffThere,
  inAudience,
  offered,
  forModels,
  oneOfFamily,
  replaced,
  nameFree,
  nameUnique,
  definitionAccepted,
];
