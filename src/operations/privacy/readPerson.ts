import { z } from 'zod';
import { ledgerPrivacyStream } from '../../commands/ledgerPrivacy.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import { comparePositions, type RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { Fault } from '../../platform/fault.js';
import type { JsonValue } from '../../platform/json.js';
import type { OpenedValues } from '../calls/callEntries.js';
import { operation } from '../operation.js';
import { iso, isoTime } from '../words.js';

/** Events looked at for one page: enough to be quick, few enough to be held in memory. */
const pageEvents = 2_000;

const entry = z.object({
  position: z.string(),
  recordedAt: isoTime,
  type: z.string(),
  stream: z.string(),
  /** What the person has to do with it. */
  as: z.array(z.enum(['actor', 'on_behalf_of', 'named'])),
  door: z.string(),
  workspace: z.string(),
  turn: z.string().nullable(),
  data: z.custom<JsonValue>(),
  /** What is sealed with the person's key; `[erased]` when the key is gone, null when there is nothing. */
  values: z.custom<JsonValue>(),
});

/**
 * A page of everything the ledger has of a person, in order, with their own values opened and nobody else's.
 * The opening must be on record: see `openPerson`.
 */
export const readPerson = operation({
  name: 'readPerson',
  reach: 'ledger',
  input: z.object({
    subject: z.guid(),
    /** As `openPerson` gave them. */
    opening: z.int(),
    upTo: z.string(),
    /** Where the page before ended; null for the beginning. */
    after: z.string().nullable(),
  }),
  output: z.object({
    entries: z.array(entry),
    /** Where the next page begins, or null when this was the last. */
    after: z.string().nullable(),
  }),
  async run({ ledger, openBoxes }, { subject, opening, upTo, after }) {
    await requireRecord(ledger, subject, opening);
    const page = await ledger.readAll(after, pageEvents);
    const within = page.filter(({ position }) => comparePositions(position, upTo) <= 0);
    const entries = within.flatMap((event) => {
      const as = partsOf(event, subject);
      const own = event.boxes.includes(subject) ? openBoxes(event) : [];
      return as.length === 0 && own.length === 0 ? [] : [entryOf(event, as, own, subject)];
    });
    const last = page.at(-1);
    return { entries, after: last === undefined || comparePositions(last.position, upTo) >= 0 ? null : last.position };
  },
});

async function requireRecord(ledger: Pick<EventReader, 'readStream'>, subject: string, opening: number): Promise<void> {
  const [event] = await ledger.readStream(ledgerPrivacyStream, opening, 1);
  const decoded = event === undefined ? null : catalogue.decode(event);
  if (decoded?.type === 'PersonalValuesOpened' && decoded.data.purpose === 'person_export' && decoded.data.subjects?.includes(subject) === true) return;
  throw new Fault('failed', 'not_on_record', 'Nothing is opened before that is on record. Use `toolledger privacy export`.', { subject });
}

function partsOf(event: RecordedEvent, subject: string): z.output<typeof entry>['as'] {
  return [
    ...(event.actor === subject ? (['actor'] as const) : []),
    ...(event.onBehalfOf === subject ? (['on_behalf_of'] as const) : []),
    ...([event.data, event.stream, event.workspace].some((text) => text.includes(subject)) ? (['named'] as const) : []),
  ];
}

function entryOf(event: RecordedEvent, as: z.output<typeof entry>['as'], boxes: OpenedValues, subject: string): z.input<typeof entry> {
  const box = boxes.find(([owner]) => owner === subject);
  return {
    position: event.position,
    recordedAt: iso(event.recordedAt),
    type: event.type,
    stream: event.stream,
    as,
    door: event.door,
    workspace: event.workspace,
    turn: event.correlation,
    data: catalogue.decode(event).data as JsonValue,
    values: box === undefined ? null : box[1] === null ? '[erased]' : catalogue.decodePersonal(event, box[1]),
  };
}
