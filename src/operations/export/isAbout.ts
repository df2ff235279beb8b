import { boxesOf } from '../../events/box.js';
import type { ExportEntry } from './exportEntry.js';

/** Whether an event of no single call is about a person: who acted, for whom, whose values it holds, or whom it names. */
export function isAbout({ event, known }: Pick<ExportEntry, 'event' | 'known'>, subject: string): boolean {
  return (
    event.actor === subject ||
    event.onBehalfOf === subject ||
    ('subject' in known.data && known.data.subject === subject) ||
    (known.type === 'ToolCallRefusalsCounted' && known.data.caller === subject) ||
    boxesOf(event.boxes).some(([owner]) => owner === subject)
  );
}
