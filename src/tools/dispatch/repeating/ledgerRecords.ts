import type { PayloadDropped } from '../../../events/catalogue/payloadDropped.js';
import type { ToolCallEvent } from '../../../events/catalogue/toolCall.js';
import type { RecordedToolDefinition } from '../../../events/catalogue/toolDefinition.js';
import type { JsonObject } from '../../../platform/json.js';

/** An event of a call with the values of the person it was for, or null when there are none or the key is gone. */
export type RecordedCallEvent = (ToolCallEvent | PayloadDropped) & { readonly personal: JsonObject | null };

/** Reads back what the folded streams do not keep. */
export interface LedgerRecords {
  /** The events of a call's stream in order. */
  callEvents(stream: string): Promise<readonly RecordedCallEvent[]>;
  /** The text of a tool's definition by its hash, or null when it was never recorded. */
  definition(hash: string): Promise<RecordedToolDefinition | null>;
}
