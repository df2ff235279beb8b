import { z } from 'zod';
import { mcpServersDecider } from '../../../commands/mcpServers/mcpServers.js';
import { serverById, type McpDiscovery, type McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import type { EventReader } from '../../../events/eventStore.js';
import type { JsonValue } from '../../../platform/json.js';
import { iso, isoTime } from '../../words.js';
import { changesOf, listingChanges } from '../definitions/listingChanges.js';
import { diffsOf, listingDiffs } from '../definitions/listingDiffs.js';
import { entryText, type ListingChange } from './entryText.js';
import type { OnRecord } from './happened.js';

/** Something that is on record of a server, as it is shown. */
export const lifeEntry = z.object({
  position: z.string(),
  recordedAt: isoTime,
  type: z.string(),
  /** A subject, or `system`. */
  actor: z.string(),
  door: z.string(),
  onBehalfOf: z.string().nullable(),
  /** What happened, in a sentence. */
  text: z.string(),
  data: z.custom<JsonValue>(),
  /** Of a discovery: how it differs from the one before. Null for everything else. */
  changes: listingChanges.nullable(),
  /** Of a discovery: what changed in each definition whose texts are still there. Null for everything else. */
  diffs: listingDiffs.nullable(),
});

/**
 * What happened to a server, one entry an event.
 * @param ledger has the texts of definitions
 * @param life everything on record of one server, in order
 */
export async function entriesOf(ledger: Pick<EventReader, 'readStream'>, life: readonly OnRecord[]): Promise<z.input<typeof lifeEntry>[]> {
  let state = mcpServersDecider.initialState();
  const entries: z.input<typeof lifeEntry>[] = [];
  for (const { known, at } of life) {
    const before = serverById(state, known.data.serverId);
    state = mcpServersDecider.evolve(state, known, at);
    const changes = known.type === 'McpToolsDiscovered' ? changesSince(before, known.data) : null;
    entries.push({
      position: at.position,
      recordedAt: iso(at.recordedAt),
      type: known.type,
      actor: at.actor,
      door: at.door,
      onBehalfOf: at.onBehalfOf,
      text: entryText(known, before, changes, at),
      data: known.data,
      changes,
      diffs: known.type === 'McpToolsDiscovered' ? await diffsOf(ledger, before?.discovery ?? 'unknown', known.data) : null,
    });
  }
  return entries;
}

/** Of the first discovery everything is new. */
function changesSince(before: McpServer | undefined, found: McpDiscovery): ListingChange {
  const discovery = before?.discovery ?? 'unknown';
  return changesOf(discovery === 'unknown' ? { ...found, tools: [] } : discovery, found);
}
