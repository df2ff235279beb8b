import type { ToolCallRoute } from '../../../events/catalogue/toolCall.js';
import type { BuiltIns } from '../../availability/builtIns.js';
import { judge, type Verdict } from '../../availability.js';
import { subjectsOf, type ToolSubject } from '../../availability/facts.js';
import type { World } from '../../availability/world.js';

/**
 * Finds the tool that a name means: an alias stands for its tool, a built-in for itself, and a tool of a server for
 * what the server offers. Where several bear the name, the usable one is meant; when none is, the first.
 * @returns null when nothing bears the name
 */
export function routeOf(name: string, world: World, builtIns: BuiltIns): Verdict | null {
  const verdicts = candidates(name, world, builtIns).map((subject) => judge(subject, world));
  return verdicts.find((verdict) => verdict.available) ?? verdicts[0] ?? null;
}

/** Where a call of this tool goes, as the ledger says it. */
export function recordedRoute(subject: ToolSubject): ToolCallRoute {
  if (subject.kind === 'builtin') return { kind: 'builtin', definition: subject.definition };
  const { serverId, serverName, name, remoteName, definition } = subject;
  return { kind: 'mcp', serverId, serverName, remoteName: remoteName === name ? null : remoteName, definition };
}

/** A stand-in comes before the tool it replaces, and enabled servers before disabled ones. */
function candidates(name: string, world: World, builtIns: BuiltIns): readonly ToolSubject[] {
  const builtIn = builtIns.find(name);
  const canonical = builtIn?.name ?? name;
  const servers = (world.facts.servers ?? []).toSorted((a, b) => Number(b.enabled) - Number(a.enabled));
  const remote = servers.flatMap(subjectsOf).filter((subject) => subject.name === canonical);
  if (builtIn === undefined) return remote;
  const own: ToolSubject = { kind: 'builtin', name: builtIn.name, definition: builtIn.definition };
  return judge(own, world).reasons.includes('replaced_by_server') ? [...remote, own] : [own, ...remote];
}
