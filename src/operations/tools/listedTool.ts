import { z } from 'zod';
import type { DeclaredVerdict } from '../../tools/availability.js';
import { explain } from '../../tools/availability/explain.js';
import type { World } from '../../tools/availability/world.js';

/** A tool of a workspace, whether it may be used, and why not. */
export const listedTool = z.object({
  name: z.string(),
  /** `built-in`, or the server's name. */
  from: z.string(),
  /** Null: not on record, which is not the same as no. */
  available: z.boolean().nullable(),
  reasons: z.array(z.object({ code: z.string(), text: z.string() })),
  description: z.string(),
  /** SHA-256 of its definition; `showDefinition` gives the text. Null: not on record. */
  definition: z.string().nullable(),
});

/** A verdict as a listing shows it. @param world what it was judged in */
export function shownTool({ subject, available, reasons, declared }: DeclaredVerdict, world: World): z.input<typeof listedTool> {
  return {
    name: subject.name,
    from: subject.kind === 'builtin' ? 'built-in' : subject.serverName,
    available,
    reasons: reasons.map((code) => ({ code, text: explain(subject, code, world) })),
    description: declared?.description ?? '',
    definition: subject.definition,
  };
}
