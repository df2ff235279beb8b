import { toolDefinitionStream } from '../../commands/toolDefinition.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import type { RecordedToolDefinition } from '../../events/catalogue/toolDefinition.js';
import type { EventReader } from '../../events/eventStore.js';

/** The recorded text of a definition; null when there is none, or it is not kept any more. */
export async function definitionText(ledger: Pick<EventReader, 'readStream'>, hash: string): Promise<RecordedToolDefinition | null> {
  const [event] = await ledger.readStream(toolDefinitionStream(hash), 0, 1);
  const decoded = event === undefined ? null : catalogue.decode(event);
  return decoded?.type === 'ToolDefinitionRecorded' ? decoded.data.definition : null;
}
