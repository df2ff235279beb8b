import { setImmediate } from 'node:timers/promises';
import type { EventPlace } from '../../../commands/decider.js';
import { mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { catalogue, type AnyEvent } from '../../../events/catalogue/catalogue.js';
import { mcpServersTypes, type McpServersEvent } from '../../../events/catalogue/mcpServers/mcpServers.js';
import type { RecordedEvent } from '../../../events/envelope.js';
import type { EventReader } from '../../../events/eventStore.js';
import { unaltered } from '../../unaltered.js';

/** Something that happened to a server, or would have, and where and when. */
export interface Happened {
  readonly known: McpServersEvent;
  readonly at: EventPlace;
}

/** Something that is on record. */
export interface OnRecord extends Happened {
  readonly at: RecordedEvent;
}

const pageSize = 500;
const names: readonly string[] = mcpServersTypes.map(({ name }) => name);

export function isOfServers(event: AnyEvent): event is McpServersEvent {
  return names.includes(event.type);
}

/**
 * Everything on record of the servers of a workspace, in order.
 * @param until what was recorded later is left out, milliseconds since the epoch; null: nothing is
 * @throws Fault `altered_event` and those of the catalogue
 */
export async function recordedOfServers(ledger: Pick<EventReader, 'readStream'>, workspace: string, until: number | null, signal: AbortSignal): Promise<readonly OnRecord[]> {
  const record: OnRecord[] = [];
  for (let from = 0; ; from += pageSize) {
    const page = await ledger.readStream(mcpServersStream(workspace), from, pageSize);
    for (const event of page) {
      if (until !== null && event.recordedAt > until) return record;
      const known = catalogue.decode(unaltered(event));
      if (isOfServers(known)) record.push({ known, at: event });
    }
    if (page.length < pageSize) return record;
    // Reading answers at once; whoever wants to stop it needs a turn.
    await setImmediate();
    signal.throwIfAborted();
  }
}
