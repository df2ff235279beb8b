import { z } from 'zod';
import { callEntry, callEntryOf, eventsOfCall } from './callEntries.js';
import { judgedOn, judgement } from './judgedOn.js';
import { shownTo, shownTools } from './shownTools.js';
import { operation } from '../operation.js';
import { user, workspaceId } from '../words.js';

/** The whole life of one call, read from the ledger itself. Other people's values stay sealed; see `openCall`. */
export const showCall = operation({
  name: 'showCall',
  reach: 'ledger',
  input: z.object({
    /** The stored id, or the id that was given to the call in `workspace`, for `user` when there is one. */
    callId: z.string().min(1),
    workspace: workspaceId,
    user: user.nullable().default(null),
  }),
  output: z.object({ callId: z.string(), workspace: z.string(), judged: judgement.nullable(), shown: shownTools.nullable(), entries: z.array(callEntry) }),
  async run({ ledger, people, openBoxes }, input, { caller }) {
    const { events, ...call } = await eventsOfCall(ledger, people, input, caller);
    return { ...call, judged: await judgedOn(ledger, events), shown: await shownTo(ledger, events), entries: events.map((event) => callEntryOf(event, openBoxes(event), caller.actor)) };
  },
});
