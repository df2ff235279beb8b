import { boxesOf, openBox } from '../../events/box.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { JsonObject } from '../../platform/json.js';

type Opened = readonly [subject: string, values: JsonObject | null];

/**
 * Opens the boxes of an event for display.
 * @returns each person with the values, `null` where the key is gone or does not open the box
 */
export function openBoxesWith(keys: { keyOf(subject: string): Uint8Array | null }): (event: RecordedEvent) => readonly Opened[] {
  return (event) => boxesOf(event.boxes).map(([subject, box]) => opened(event, subject, box, keys.keyOf(subject)));
}

/** The same with keys that are waited for. */
export function openBoxesLater(keys: { keyOf(subject: string): Promise<Uint8Array | null> }): (event: RecordedEvent) => Promise<readonly Opened[]> {
  return (event) => Promise.all(boxesOf(event.boxes).map(async ([subject, box]) => opened(event, subject, box, await keys.keyOf(subject))));
}

function opened({ stream, id }: RecordedEvent, subject: string, box: string, key: Uint8Array | null): Opened {
  return [subject, key === null ? null : openBox(key, { stream, eventId: id, subject }, box)];
}
