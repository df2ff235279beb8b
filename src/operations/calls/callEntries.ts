import { z } from 'zod';
import { callIdOf } from '../../commands/toolCall/callId.js';
import { toolCallStream } from '../../commands/toolCall/toolCall.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { Fault } from '../../platform/fault.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { Caller } from '../../tools/call.js';
import type { People } from '../services.js';
import { unaltered } from '../unaltered.js';
import { iso, isoTime } from '../words.js';

/** Most events one call's stream can have: admission, ending, settlement, with room for later kinds. */
const mostEvents = 16;

/** One event of a call as it is shown. */
export const callEntry = z.object({
  position: z.string(),
  revision: z.int(),
  type: z.string(),
  recordedAt: isoTime,
  occurredAt: isoTime,
  actor: z.string(),
  door: z.string(),
  onBehalfOf: z.string().nullable(),
  turn: z.string().nullable(),
  runner: z.string(),
  data: z.custom<JsonValue>(),
  /** Per person: the values, `[sealed]` for other people's, `[erased]` where the key is gone. */
  personal: z.array(z.object({ subject: z.string(), values: z.custom<JsonValue>() })),
  leaf: z.string(),
});

/** How somebody names a call. */
export interface NamedCall {
  /** The stored id, or the id that was given to the call in `workspace`, for `user` when there is one. */
  readonly callId: string;
  readonly workspace: string;
  /** Who the call was for, as the chat service calls them. */
  readonly user: string | null;
}

/** The values of each person in an event, `null` where the key is gone. */
export type OpenedValues = ReadonlyArray<readonly [subject: string, values: JsonObject | null]>;

/**
 * The events of a call.
 * @throws Fault `call_not_found`, `altered_event`
 */
export async function eventsOfCall(
  ledger: Pick<EventReader, 'readStream'>,
  people: People,
  named: NamedCall,
  caller: Caller,
): Promise<{ readonly callId: string; readonly workspace: string; readonly events: readonly RecordedEvent[] }> {
  const subject = named.user === null ? null : await people.findPerson(named.user);
  const own = callIdOf({ workspace: named.workspace, caller: subject ?? caller.onBehalfOf ?? caller.actor, givenId: named.callId });
  const [byStoredId, byOwnId] = await Promise.all([named.callId, own].map((id) => ledger.readStream(toolCallStream(id), 0, mostEvents)));
  const events = byStoredId?.length ? byStoredId : (byOwnId ?? []);
  const first = events[0];
  if (first === undefined) {
    throw new Fault('failed', 'call_not_found', `No call ${named.callId} is recorded under that id${named.user === null ? '; an id that you gave to a call for somebody is found with --user' : ' for that person'}. \`toolledger audit search\` lists the calls there are.`, { callId: named.callId });
  }
  return { callId: first.stream.slice(toolCallStream('').length), workspace: first.workspace, events: events.map(unaltered) };
}

/** @param reader whose values are shown; null: everyone's, which must be on record by then */
export function callEntryOf(event: RecordedEvent, opened: OpenedValues, reader: string | null): z.input<typeof callEntry> {
  return {
    position: event.position,
    revision: event.revision,
    type: event.type,
    recordedAt: iso(event.recordedAt),
    occurredAt: iso(event.occurredAt),
    actor: event.actor,
    door: event.door,
    onBehalfOf: event.onBehalfOf,
    turn: event.correlation,
    runner: event.runner,
    data: catalogue.decode(event).data as JsonValue,
    personal: opened.map(([subject, values]) => ({
      subject,
      values: values === null ? '[erased]' : reader === null || subject === reader ? catalogue.decodePersonal(event, values) : '[sealed]',
    })),
    leaf: Buffer.from(event.leaf).toString('hex'),
  };
}
