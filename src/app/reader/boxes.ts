import { boxesOf, openBox } from '../../events/box.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { JsonObject } from '../../platform/json.js';

/**
 * Opens the boxes of an event for display.
 * @returns each person with the values, `null` where the key is gone or does not open the box
 */
export function openBoxesWith(
  keys: { keyOf(subject: string): Uint8Array | null },
): (event: RecordedEvent) => ReadonlyArray<readonly [subject: string, values: JsonObject | null]> {
  return (event) =>
    boxesOf(event.boxes).map(([subject, box]) => {
      const key = keys.keyOf(subject);
      return [subject, key === null ? null : openBox(key, { stream: event.stream, eventId: event.id, subject }, box)];
    });
}
