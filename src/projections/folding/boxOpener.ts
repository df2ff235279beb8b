import { boxesOf, openBox } from '../../events/box.js';
import type { Catalogue } from '../../events/catalogue/catalogue.js';
import type { BoxOpener } from '../projection.js';

/** Keys that open personal values, answered at once. */
export interface SubjectKeys {
  /** @returns 32 bytes, or null when the subject is unknown or was erased */
  keyOf(subject: string): Uint8Array | null;
}

/** Opens boxes with the keys there are now; a box that does not open counts as erased. */
export function boxOpener(keys: SubjectKeys, catalogue: Catalogue): BoxOpener {
  return {
    open: (event) =>
      boxesOf(event.boxes).map(([subject, box]) => {
        const key = keys.keyOf(subject);
        const values = key === null ? null : openBox(key, { stream: event.stream, eventId: event.id, subject }, box);
        return [subject, values === null ? null : catalogue.decodePersonal(event, values)] as const;
      }),
  };
}
