import type { z } from 'zod';
import { allSubjects, judge } from '../../../tools/availability.js';
import { explain } from '../../../tools/availability/explain.js';
import type { ReasonCode } from '../../../tools/availability/reasons.js';
import { anybody, makeWorld, type World } from '../../../tools/availability/world.js';
import type { ToolRegistry } from '../../../tools/registry.js';
import { loadWorkspaceFacts } from '../../../tools/workspaceFacts.js';
import type { OwnerServices } from '../../services.js';
import type { hiddenTools } from './hiddenTools.js';

/** Reasons that an admin can only do away with by deciding between servers or names. */
const conflicts: readonly ReasonCode[] = ['reserved_name', 'name_collision', 'family_conflict'];

/** The hidden tools of a server as the streams say it now; none of one that is not enabled. */
export async function hiddenToolsNow({ handler, registry, clock }: OwnerServices, workspace: string, serverId: string): Promise<z.output<typeof hiddenTools>> {
  // What hides a tool does not depend on the policy for definitions.
  const world = makeWorld(await loadWorkspaceFacts(handler, workspace, clock.now()), registry, 'warn', anybody);
  return hiddenToolsOf(world, registry).get(serverId) ?? [];
}

/** The hidden tools of enabled servers, by server id; judged by the layers that judge a call. */
export function hiddenToolsOf(world: World, registry: ToolRegistry): ReadonlyMap<string, z.output<typeof hiddenTools>> {
  const hidden = new Map<string, z.output<typeof hiddenTools>>();
  for (const subject of allSubjects(world, registry)) {
    if (subject.kind === 'builtin' || world.server(subject.serverId)?.enabled !== true) continue;
    const code = judge(subject, world).reasons.find((reason) => conflicts.includes(reason));
    if (code === undefined) continue;
    hidden.set(subject.serverId, [...(hidden.get(subject.serverId) ?? []), { name: subject.name, code, text: explain(subject, code, world) }]);
  }
  return hidden;
}
