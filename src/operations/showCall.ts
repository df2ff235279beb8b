import { z } from 'zod';
import { catalogue } from '../events/catalogue/catalogue.js';
import type { RecordedEvent } from '../events/envelope.js';
import { Fault } from '../platform/fault.js';
import type { JsonValue } from '../platform/json.js';
import { operation } from './operation.js';
import type { LedgerServices } from './services.js';
import { iso, isoTime } from './words.js';

/** Most events one call's stream can have: admission, ending, settlement, with room for later kinds. */
const mostEvents = 16;

const entry = z.object({
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

/** The whole life of one call, read from the ledger itself. */
export const showCall = operation({
  name: 'showCall',
  reach: 'ledger',
  input: z.object({ callId: z.string().min(1) }),
  output: z.object({ callId: z.string(), workspace: z.string(), entries: z.array(entry) }),
  async run(services, { callId }, { caller }) {
    const events = await services.ledger.readStream(`toolCall-${callId}`, 0, mostEvents);
    const first = events[0];
    if (first === undefined) {
      throw new Fault('failed', 'call_not_found', `No call ${callId} is recorded. \`toolledger audit search\` lists the calls there are.`, { callId });
    }
    return { callId, workspace: first.workspace, entries: events.map((event) => shown(services, event, caller.actor)) };
  },
});

function shown({ openBoxes }: LedgerServices, event: RecordedEvent, reader: string): z.input<typeof entry> {
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
    personal: openBoxes(event).map(([subject, values]) => ({
      subject,
      values: values === null ? '[erased]' : subject === reader ? catalogue.decodePersonal(event, values) : '[sealed]',
    })),
    leaf: Buffer.from(event.leaf).toString('hex'),
  };
}
