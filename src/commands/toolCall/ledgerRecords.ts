import { LRUCache } from 'lru-cache';
import { boxesOf, openBox } from '../../events/box.js';
import type { Catalogue } from '../../events/catalogue/catalogue.js';
import type { PayloadDropped } from '../../events/catalogue/payloadDropped.js';
import type { ToolCallEvent } from '../../events/catalogue/toolCall.js';
import type { RecordedToolDefinition } from '../../events/catalogue/toolDefinition.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import type { JsonObject } from '../../platform/json.js';
import type { KeyStore } from '../keyStore.js';
import { toolDefinitionStream } from '../toolDefinition.js';

/** More events than a call's stream or a definition's ever has. */
const wholeStream = 16;

/** Most definitions kept in memory; each takes at most 64 KiB, and none ever changes. */
const keptDefinitions = 256;

/** Where recorded events are read from and how they are opened. */
export interface LedgerRecordsParts {
  readonly reader: Pick<EventReader, 'readStream'>;
  readonly keys: KeyStore;
  readonly catalogue: Catalogue;
}

/**
 * Reads back what folded streams do not keep: texts in boxes and texts of definitions.
 * Its methods throw EventStoreError, and Fault `unknown_event_version` for events of a newer program.
 */
export function makeLedgerRecords({ reader, keys, catalogue }: LedgerRecordsParts): {
  callEvents(stream: string): Promise<readonly ((ToolCallEvent | PayloadDropped) & { readonly personal: JsonObject | null })[]>;
  definition(hash: string): Promise<RecordedToolDefinition | null>;
} {
  const definitions = new LRUCache<string, RecordedToolDefinition>({ max: keptDefinitions });

  /** Events of a call belong to one person, so there is at most one box. */
  async function personalOf(event: RecordedEvent): Promise<JsonObject | null> {
    for (const [subject, box] of boxesOf(event.boxes)) {
      const key = await keys.keyOf(subject);
      const content = key === null ? null : openBox(key, { stream: event.stream, eventId: event.id, subject }, box);
      if (content !== null) return catalogue.decodePersonal(event, content);
    }
    return null;
  }

  return {
    async callEvents(stream) {
      const events = await reader.readStream(stream, 0, wholeStream);
      return Promise.all(events.map(async (event) => ({ ...(catalogue.decode(event) as ToolCallEvent | PayloadDropped), personal: await personalOf(event) })));
    },

    async definition(hash) {
      const kept = definitions.get(hash);
      if (kept !== undefined) return kept;
      const [event] = await reader.readStream(toolDefinitionStream(hash), 0, 1);
      if (event === undefined) return null;
      const decoded = catalogue.decode(event);
      if (decoded.type !== 'ToolDefinitionRecorded') return null;
      definitions.set(hash, decoded.data.definition);
      return decoded.data.definition;
    },
  };
}
