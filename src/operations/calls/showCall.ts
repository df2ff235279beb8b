import { z } from 'zod';
import { callEntry, callEntryOf, eventsOfCall } from './callEntries.js';
import { judgedOn, judgement } from './judgedOn.js';
import { shownTo, shownTools } from './shownTools.js';
import { operation } from '../operation.js';
import { workspaceId } from '../words.js';

/** The whole life of one call, read from the ledger itself. Other people's values stay sealed; see `openCall`. */
export const showCall = operation({
  name: 'showCall',
  reach: 'ledger',
  input: z.object({
    /** The stored id, or the id the caller gave to a call of its own in `workspace`. */
    callId: z.string().min(1),
    workspace: workspaceId,
  }),
  output: z.object({ callId: z.string(), workspace: z.string(), judged: judgement.nullable(), shown: shownTools.nullable(), entries: z.array(callEntry) }),
  async run({ ledger, openBoxes }, input, { caller }) {
    const { events, ...call } = await eventsOfCall(ledger, input, caller);
    return { ...call, judged: await judgedOn(ledger, events), shown: await shownTo(ledger, events), entries: events.map((event) => callEntryOf(event, openBoxes(event), caller.actor)) };
  },
});
