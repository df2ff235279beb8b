import { z } from 'zod';
import { callIdOf } from '../../commands/toolCall/callId.js';
import { toolCallStream } from '../../commands/toolCall/toolCall.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import type { RecordedEvent } from '../../events/envelope.js';
import { Fault } from '../../platform/fault.js';
import type { JsonValue } from '../../platform/json.js';
import { operation } from '../operation.js';
import type { LedgerServices } from '../services.js';
import { iso, isoTime, workspaceId } from '../words.js';

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
  input: z.object({
    /** The stored id, or the id the caller gave to a call of its own in `workspace`. */
    callId: z.string().min(1),
    workspace: workspaceId,
  }),
  output: z.object({ callId: z.string(), workspace: z.string(), entries: z.array(entry) }),
  async run(services, { callId: named, workspace }, { caller }) {
    const own = callIdOf({ workspace, caller: caller.onBehalfOf ?? caller.actor, givenId: named });
    const [byStoredId, byOwnId] = await Promise.all([named, own].map((id) => services.ledger.readStream(toolCallStream(id), 0, mostEvents)));
    const events = byStoredId?.length ? byStoredId : (byOwnId ?? []);
    const first = events[0];
    if (first === undefined) {
      throw new Fault('failed', 'call_not_found', `No call ${named} is recorded. \`toolledger audit search\` lists the calls there are.`, { callId: named });
    }
    return { callId: first.stream.slice(toolCallStream('').length), workspace: first.workspace, entries: events.map((event) => shown(services, event, caller.actor)) };
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
