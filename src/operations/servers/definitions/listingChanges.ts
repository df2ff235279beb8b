import { z } from 'zod';
import type { McpServer } from '../../../commands/mcpServers/mcpServersState.js';

/** What changed in a server's tools, by the names models see. */
export const listingChanges = z.object({ added: z.array(z.string()), changed: z.array(z.string()), removed: z.array(z.string()) });

/** Compares what a server offered before with what it offers now; the first discovery is no change. */
export function changesOf(before: McpServer['discovery'], after: McpServer['discovery']): z.output<typeof listingChanges> {
  if (before === 'unknown' || after === 'unknown') return { added: [], changed: [], removed: [] };
  const old = new Map(before.tools.map(({ name, definition }) => [name, definition]));
  const now = new Map(after.tools.map(({ name, definition }) => [name, definition]));
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    changed: [...now].filter(([name, definition]) => old.has(name) && old.get(name) !== definition).map(([name]) => name),
    removed: [...old.keys()].filter((name) => !now.has(name)),
  };
}

/** Tools whose present definition nobody accepted yet, by the names models see. */
export function notAccepted({ discovery, accepted }: McpServer): string[] {
  return discovery === 'unknown' ? [] : discovery.tools.filter(({ definition }) => !accepted.has(definition)).map(({ name }) => name);
}
