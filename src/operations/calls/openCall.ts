import { ledgerPrivacyDecider, ledgerPrivacyStream } from '../../commands/ledgerPrivacy.js';
import { callEntryOf, eventsOfCall } from './callEntries.js';
import { judgedOn } from './judgedOn.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import { shownTo } from './shownTools.js';
import { showCall } from './showCall.js';

/** As `showCall`, with other people's values; that somebody looked at them is recorded before they are shown. */
export const openCall = operation({
  name: 'openCall',
  reach: 'owner',
  input: showCall.input,
  output: showCall.output,
  async run({ store, people, handler, openBoxes }, input, { caller }) {
    const { events, ...call } = await eventsOfCall(store, people, input, caller);
    const boxes = await Promise.all(events.map(openBoxes));
    const others = new Set(boxes.flat().flatMap(([subject, values]) => (values === null || subject === caller.actor ? [] : [subject])));
    if (others.size > 0) {
      const opened = { purpose: 'show', subjects: [...others], callId: call.callId, filter: null } as const;
      await handler.execute(ledgerPrivacyDecider, ledgerPrivacyStream, [{ type: 'OpenValues', opened, reader: caller.actor, typed: {} }], originOf(caller, call.workspace));
    }
    return { ...call, judged: await judgedOn(store, events), shown: await shownTo(store, events), entries: events.map((event, index) => callEntryOf(event, boxes[index] ?? [], null)) };
  },
});
