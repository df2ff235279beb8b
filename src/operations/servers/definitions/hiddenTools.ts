import { z } from 'zod';
import { allSubjects, judge } from '../../../tools/availability.js';
import { explain } from '../../../tools/availability/explain.js';
import type { ReasonCode } from '../../../tools/availability/reasons.js';
import type { World } from '../../../tools/availability/world.js';
import type { ToolRegistry } from '../../../tools/registry.js';

/** Tools that are hidden because of what else is registered, and why. */
export const hiddenTools = z.array(z.object({ name: z.string(), code: z.string(), text: z.string() }));

/** Reasons that an admin can only do away with by deciding between servers or names. */
const conflicts: readonly ReasonCode[] = ['reserved_name', 'name_collision', 'family_conflict'];

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
