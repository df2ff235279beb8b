import { z } from 'zod';
import { mcpServersDecider } from '../../../commands/mcpServers/mcpServers.js';
import { serverById, type McpDiscovery, type McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import type { JsonValue } from '../../../platform/json.js';
import { iso, isoTime } from '../../words.js';
import { changesOf, listingChanges } from '../definitions/listingChanges.js';
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
});

/**
 * What happened to a server, one entry an event.
 * @param life everything on record of one server, in order
 */
export function entriesOf(life: readonly OnRecord[]): z.input<typeof lifeEntry>[] {
  let state = mcpServersDecider.initialState();
  return life.map(({ known, at }) => {
    const before = serverById(state, known.data.serverId);
    state = mcpServersDecider.evolve(state, known, at);
    const changes = known.type === 'McpToolsDiscovered' ? changesSince(before, known.data) : null;
    return {
      position: at.position,
      recordedAt: iso(at.recordedAt),
      type: known.type,
      actor: at.actor,
      door: at.door,
      onBehalfOf: at.onBehalfOf,
      text: entryText(known, before, changes, at.recordedAt),
      data: known.data,
      changes,
    };
  });
}

/** Of the first discovery everything is new. */
function changesSince(before: McpServer | undefined, found: McpDiscovery): ListingChange {
  const discovery = before?.discovery ?? 'unknown';
  return changesOf(discovery === 'unknown' ? { ...found, tools: [] } : discovery, found);
}
