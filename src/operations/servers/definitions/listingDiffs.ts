import { z } from 'zod';
import type { McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import type { EventReader } from '../../../events/eventStore.js';
import { definitionDiff } from '../../../tools/definitionDiff/definitionDiff.js';
import { definitionText } from '../../tools/definitionText.js';

/** What changed in each definition, by the name models see. */
export const listingDiffs = z.array(
  z.object({ name: z.string(), fields: z.array(z.object({ field: z.string(), lines: z.array(z.string()) })) }),
);

/** Compares the definitions of tools that a server offered before and still offers; only those that differ are in it. */
export async function diffsOf(
  ledger: Pick<EventReader, 'readStream'>,
  before: McpServer['discovery'],
  after: McpServer['discovery'],
): Promise<z.output<typeof listingDiffs>> {
  if (before === 'unknown' || after === 'unknown') return [];
  const old = new Map(before.tools.map(({ name, definition }) => [name, definition]));
  const diffs: z.output<typeof listingDiffs> = [];
  for (const { name, definition } of after.tools) {
    const was = old.get(name);
    if (was === undefined || was === definition) continue;
    const [from, to] = await Promise.all([definitionText(ledger, was), definitionText(ledger, definition)]);
    if (from === null || to === null) continue;
    diffs.push({ name, fields: definitionDiff(from, to).map(({ field, lines }) => ({ field, lines: [...lines] })) });
  }
  return diffs;
}
