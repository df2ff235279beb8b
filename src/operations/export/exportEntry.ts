import type { AnyEvent } from '../../events/catalogue/catalogue.js';
import type { ToolCallEvent } from '../../events/catalogue/toolCall.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { JsonValue } from '../../platform/json.js';
import type { CallFacts } from '../../projections/callFacts.js';

/** What is shown instead of a person's values that were not asked to be opened. */
export const sealed = '[sealed]';
/** What is shown instead of values whose key is gone. */
export const erased = '[erased]';

/** The call an event belongs to, as it began. */
export interface ExportedCall {
  readonly callId: string;
  readonly facts: CallFacts;
  /** The event itself, as one of a call. */
  readonly step: ToolCallEvent;
}

/** One event on its way out. */
export interface ExportEntry {
  readonly event: RecordedEvent;
  /** Its clear data in the current version. */
  readonly known: AnyEvent;
  /** Each person's values: opened, `[sealed]` or `[erased]`. */
  readonly personal: readonly { readonly subject: string; readonly values: JsonValue }[];
  /** Null for events of no single call. */
  readonly call: ExportedCall | null;
}

/** A form in which events are handed out, one line each. */
export interface ExportFormat {
  /** What comes before the first line: titles, or nothing. */
  readonly head: string;
  /**
   * Writes an event down, line end included, so that nothing in it can steer a terminal or a spreadsheet.
   * @returns null when the form has no record for such an event
   */
  encode(entry: ExportEntry): string | null;
}
